import { open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { execa } from 'execa'
import { z } from 'zod'
import { createAttachmentsClient } from '../main/services/attachments/create-attachments-client'
import { createHttpClient } from '../main/platform/http/http-client'
import { startChildServer } from './child-server'
import { median } from './median'

const uploaders = ['curl', 'causeway'] as const
type Uploader = (typeof uploaders)[number]

interface UploadFigures {
  readonly bytes: number
  readonly rounds: number
  /** Medians in bytes per second. */
  readonly bytesPerSecond: Readonly<Record<Uploader, number>>
  /** Median of the ratios within each round; 1 is as fast as curl. */
  readonly ratio: number
  /** Peak memory of each process in bytes; for Causeway, after a small file and after all large ones. */
  readonly peakBytes: {
    readonly curl: number
    readonly causewaySmall: number
    readonly causewayLarge: number
  }
}

const bytes = 2 ** 30
const smallBytes = 2 ** 20
const rounds = 3
const pollMs = 50

const figures = z.object({ ms: z.number(), peakBytes: z.number() })
const addresses = z.object({ attachments: z.url() })

/**
 * Compares uploads of a file of 1 GiB to the mock server by Causeway and by `curl -T`, taking turns, each in its own
 * process. The file is sparse and cached, so that the disk does not matter. Linux only, because curl's memory is read
 * from /proc.
 */
export async function compareUploads(folder: string): Promise<UploadFigures> {
  const mock = startChildServer('mock-server-process.ts')
  const causeway = startChildServer('upload-process.ts')
  const large = await sparseFile(join(folder, 'large.bin'), bytes)
  const small = await sparseFile(join(folder, 'small.bin'), smallBytes)
  try {
    const { attachments: baseUrl } = addresses.parse(await mock.ask('start'))
    const upload = async (path: string) => figures.parse(await causeway.ask({ baseUrl, path }))
    const { peakBytes: causewaySmall } = await upload(small)
    let curlPeak = 0
    let causewayLarge = 0
    const perRound: Record<Uploader, number>[] = []
    for (let round = 0; round < rounds; round += 1) {
      const ms = { curl: 0, causeway: 0 }
      for (const who of round % 2 === 0 ? uploaders : [...uploaders].reverse()) {
        const measured = who === 'curl' ? await withCurl(baseUrl, large) : await upload(large)
        ms[who] = measured.ms
        if (who === 'curl') curlPeak = Math.max(curlPeak, measured.peakBytes)
        else causewayLarge = Math.max(causewayLarge, measured.peakBytes)
      }
      perRound.push(ms)
    }
    const speed = (who: Uploader) => median(perRound.map((ms) => (1000 * bytes) / ms[who]))
    return {
      bytes,
      rounds,
      bytesPerSecond: { curl: speed('curl'), causeway: speed('causeway') },
      ratio: median(perRound.map(({ curl, causeway: ours }) => curl / ours)),
      peakBytes: { curl: curlPeak, causewaySmall, causewayLarge },
    }
  } finally {
    await Promise.all([mock.end(), causeway.end()])
    for (const path of [large, small]) await rm(path, { force: true })
  }
}

async function sparseFile(path: string, length: number): Promise<string> {
  const handle = await open(path, 'w')
  await handle.truncate(length)
  await handle.close()
  return path
}

async function withCurl(baseUrl: string, path: string): Promise<z.infer<typeof figures>> {
  const client = createAttachmentsClient({ http: createHttpClient(), baseUrl, now: Date.now })
  const { uploadUrl } = await client.announceFile({ title: 'curl', extension: 'bin' })
  const begun = performance.now()
  const curl = execa('curl', ['-sS', '--fail', '-H', 'Expect:', '-T', path, uploadUrl.href])
  const watching = watchMemory(curl.pid ?? NaN)
  await curl
  const ms = performance.now() - begun
  const [first] = (await client.list({ pageSize: 1 })).data
  await client.remove(first?.id ?? '')
  return { ms, peakBytes: await watching }
}

/** Polls a process until it ends; returns its peak resident memory. */
async function watchMemory(pid: number): Promise<number> {
  let peak = 0
  for (;;) {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
    const kibibytes = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]
    if (kibibytes === undefined) return peak
    peak = Math.max(peak, Number(kibibytes) * 1024)
    await delay(pollMs)
  }
}
