import { mkdtemp, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { z } from 'zod'
import { createAttachmentsClient } from '../main/services/attachments/create-attachments-client'
import { createHttpClient } from '../main/platform/http/http-client'
import { startChildServer } from './child-server'
import type { Figure } from './figure'
import { msOf, takeTurns } from './take-turns'

const bytes = 2 ** 30
const smallBytes = 2 ** 20
const hugeBytes = 5 * 2 ** 30
const rounds = 5

const measured = z.object({ ms: z.number(), peakBytes: z.number() })
type Measured = z.infer<typeof measured>
const addresses = z.object({ attachments: z.url() })

/**
 * `npm run bench -- files`: compares uploads and downloads of a file of 1 GiB by Causeway and by curl, each in its own process,
 * and looks at Causeway's memory with one of 5 GiB. All files are in memory or sparse: the disk would be slower than both.
 */
export async function benchFiles(): Promise<Figure[]> {
  const folder = await mkdtemp('/dev/shm/causeway-bench-')
  const mock = startChildServer('mock-server-process.ts', { TMPDIR: folder })
  const causeway = startChildServer('transfer-process.ts')
  const large = await sparseFile(join(folder, 'large.bin'), bytes)
  const small = await sparseFile(join(folder, 'small.bin'), smallBytes)
  const huge = await sparseFile(join(folder, 'huge.bin'), hugeBytes)
  try {
    const { attachments: baseUrl } = addresses.parse(await mock.ask('start'))
    const client = createAttachmentsClient({ http: createHttpClient(), baseUrl, now: Date.now })
    const upload = async (path: string): Promise<Measured> =>
      measured.parse(await causeway.ask({ baseUrl, path }))
    const { peakBytes: smallPeak } = await upload(small)
    const speed = (ms: number) => bytes / 1000 / ms
    const up = await takeTurns(rounds, {
      curl: async () => {
        const ms = await uploadByCurl(client, large)
        await removeFirst(client)
        return speed(ms)
      },
      own: async () => speed((await upload(large)).ms),
    })
    await uploadByCurl(client, large)
    const [attachment] = (await client.list({ pageSize: 1 })).data
    const attachmentId = attachment?.id ?? ''
    const target = join(folder, 'downloaded.bin')
    const down = await takeTurns(rounds, {
      curl: async () => speed(await downloadByCurl(client, attachmentId, target)),
      own: async () => {
        const { ms } = measured.parse(await causeway.ask({ baseUrl, path: target, attachmentId }))
        await rm(target)
        return speed(ms)
      },
    })
    await client.remove(attachmentId)
    const { peakBytes: hugePeak } = await upload(huge)
    return [
      {
        what: 'upload of 1 GiB',
        unit: 'MB/s',
        own: up.own,
        beside: { what: 'curl', values: up.curl },
        goal: { atLeast: 0.95 },
      },
      {
        what: 'download of 1 GiB',
        unit: 'MB/s',
        own: down.own,
        beside: { what: 'curl', values: down.curl },
        goal: { atLeast: 0.8 },
        why: 'undici takes 0.8 s of processor time to read 1 GiB without writing anything, and Causeway 0.9 s more to write it, all of it memory that is copied. Both fill a line of several Gbit/s.',
      },
      {
        what: 'most memory with a file of 5 GiB',
        unit: 'MB',
        own: [hugePeak / 1e6],
        beside: { what: 'with one of 1 MiB', values: [smallPeak / 1e6] },
        goal: { atMost: 1.5 },
      },
    ]
  } finally {
    await Promise.all([mock.end(), causeway.end()])
    await rm(folder, { recursive: true })
  }
}

async function sparseFile(path: string, length: number): Promise<string> {
  const handle = await open(path, 'w')
  await handle.truncate(length)
  await handle.close()
  return path
}

type Client = ReturnType<typeof createAttachmentsClient>

async function uploadByCurl(client: Client, path: string): Promise<number> {
  const { uploadUrl } = await client.announceFile({ title: 'curl', extension: 'bin' })
  return msOfCurl('-H', 'Expect:', '-T', path, uploadUrl.href)
}

async function removeFirst(client: Client): Promise<void> {
  const [first] = (await client.list({ pageSize: 1 })).data
  await client.remove(first?.id ?? '')
}

async function downloadByCurl(client: Client, id: string, path: string): Promise<number> {
  const { href } = (await client.freshFile(id)).url
  const ms = await msOfCurl('-L', '-o', path, href)
  await rm(path)
  return ms
}

function msOfCurl(...words: readonly string[]): Promise<number> {
  return msOf(() => execa('curl', ['-sS', '--fail', ...words]))
}
