import { execFileSync } from 'node:child_process'
import { mkdir, readdir, readFile, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startTestMock } from '../../../mock-server/test-authority'
import type { Transfer } from './transfer'
import { instanceId, reaches, startTransfers, type TransferWorld } from './transfers.testing'

const longMs = 30_000

function errorOf(transfer: Transfer) {
  return transfer.state === 'failed' ? transfer.error : undefined
}

interface World extends TransferWorld {
  readonly world: TransferWorld
  readonly attachmentId: string
  readonly content: Buffer
  /** The folder for downloads. */
  readonly target: string
  readonly names: () => Promise<string[]>
}

/** Starts with an uploaded file of three megabytes. */
async function startDownloads(title = 'A title: with <odd> signs'): Promise<World> {
  const world = await startTransfers(await startTestMock())
  const path = join(world.folder, 'up.bin')
  const content = Buffer.alloc(3_000_000, 'the content of a file')
  await writeFile(path, content)
  const { attachmentId = '' } = await world.uploaded(path, { title })
  const target = join(world.folder, 'target')
  await mkdir(target)
  await world.requests()
  world.waits.length = 0
  const downloaded = (id: string, more = {}) => world.downloaded(id, { to: { folder: target }, ...more })
  return {
    ...world,
    world,
    attachmentId,
    content,
    target,
    names: async () => (await readdir(target)).toSorted(),
    downloaded,
  }
}

describe('downloading', () => {
  it('saves the whole file under a safe and free name', async () => {
    const { attachmentId, content, target, downloaded, names } = await startDownloads()
    const first = await downloaded(attachmentId)
    expect(first).toMatchObject({
      kind: 'download',
      state: 'done',
      title: 'A title: with <odd> signs',
      path: join(target, 'A title_ with _odd_ signs.bin'),
      progress: { bytes: content.length, totalBytes: content.length },
    })
    expect((await readFile(first.path)).equals(content)).toBe(true)
    const second = await downloaded(attachmentId)
    expect(second.path).toBe(join(target, 'A title_ with _odd_ signs (1).bin'))
    expect(await names()).toHaveLength(2)
  })

  it('marks the file as downloaded from the internet before it gets its name', async () => {
    const { attachmentId, content, target, downloaded, world } = await startDownloads('x')
    const done = await downloaded(attachmentId)
    expect(done).toMatchObject({ state: 'done', path: join(target, 'x.bin'), isUnmarked: false })
    expect(world.marked).toMatchObject([{ bytes: content.length }])
    expect(world.marked[0]?.path).toMatch(/\.part$/)
    world.takesMarks = false
    expect(await downloaded(attachmentId)).toMatchObject({ state: 'done', isUnmarked: true })
  })

  it('saves to a given path, and overwrites a file only if asked to', async () => {
    const { attachmentId, content, target, downloaded, transfers, names } = await startDownloads()
    const path = join(target, 'mine.txt')
    await writeFile(path, 'mine')
    const request = { attachmentId, to: { path } }
    await expect(transfers.download(instanceId, request)).rejects.toMatchObject({
      code: 'attachments/file-exists',
    })
    expect(await readFile(path, 'utf8')).toBe('mine')
    expect(await downloaded(attachmentId, { to: { path }, overwrite: true })).toMatchObject({
      state: 'done',
      path,
    })
    expect((await readFile(path)).equals(content)).toBe(true)
    expect(await names()).toEqual(['mine.txt'])
  })

  it.skipIf(process.platform === 'win32')('never replaces a pipe or a device', async () => {
    const { attachmentId, target, transfers, names } = await startDownloads()
    execFileSync('mkfifo', [join(target, 'pipe')])
    await symlink('/dev/null', join(target, 'null'))
    for (const path of ['pipe', 'null'].map((name) => join(target, name)))
      await expect(
        transfers.download(instanceId, { attachmentId, to: { path }, overwrite: true }),
      ).rejects.toMatchObject({ code: 'attachments/file-unwritable', details: { reason: 'not-a-file' } })
    expect(await names()).toEqual(['null', 'pipe'])
  })

  // Windows lets only administrators make one.
  it.skipIf(process.platform === 'win32')(
    'does not overwrite the target of a symbolic link',
    async () => {
      const { attachmentId, target, downloaded, folder } = await startDownloads('x')
      await writeFile(join(folder, 'precious'), 'precious')
      await symlink(join(folder, 'precious'), join(target, 'x.bin'))
      expect(await downloaded(attachmentId)).toMatchObject({ path: join(target, 'x (1).bin') })
      expect(await readFile(join(folder, 'precious'), 'utf8')).toBe('precious')
    },
    30_000,
  )

  it('resumes after a lost connection', async () => {
    const { attachmentId, content, control, downloaded, requests, waits } = await startDownloads()
    const match = { method: 'GET', path: '/storage/*' }
    await control('/faults', { match, times: 1, fault: { truncate: true } })
    const done = await downloaded(attachmentId)
    expect(done.state).toBe('done')
    expect((await readFile(done.path)).equals(content)).toBe(true)
    expect(waits).toEqual([1000])
    const [first, second] = (await requests()).filter(({ path }) => path.startsWith('/storage/'))
    expect(first?.headers).not.toHaveProperty('range')
    expect(second?.headers.range).toMatch(/^bytes=[1-9]\d*-$/)
    for (const name of ['authorization', 'cookie', 'x-user-id'])
      expect(first?.headers).not.toHaveProperty(name)
  })

  it('waits as long as a busy storage asks', async () => {
    const { attachmentId, control, downloaded, waits } = await startDownloads()
    const match = { method: 'GET', path: '/storage/*' }
    await control('/faults', { match, times: 1, fault: { status: 503, headers: { 'retry-after': '40' } } })
    expect((await downloaded(attachmentId)).state).toBe('done')
    expect(waits).toEqual([40_000])
  })

  it('starts over if the file changed meanwhile', async () => {
    const { attachmentId, control, downloaded, transfers, file, world } = await startDownloads()
    const match = { method: 'GET', path: '/storage/*' }
    await control('/faults', { match, times: 1, fault: { truncate: true } })
    const path = await file('new.bin', 100)
    world.onWait = async () => {
      world.onWait = undefined
      const { id } = await transfers.replace(instanceId, { attachmentId, path })
      await transfers.ended(id)
    }
    const done = await downloaded(attachmentId)
    expect((await readFile(done.path)).equals(await readFile(path))).toBe(true)
  })

  it('requests a new address after the first one expired', async () => {
    const { attachmentId, content, control, downloaded, requests } = await startDownloads()
    const match = { method: 'GET', path: '/storage/*' }
    await control('/faults', { match, times: 1, fault: { status: 403, body: {} } })
    const done = await downloaded(attachmentId)
    expect((await readFile(done.path)).equals(content)).toBe(true)
    expect((await requests()).filter(({ path }) => path.includes('/attachments/'))).toHaveLength(2)
  })
})

describe('a failed download', () => {
  it.each([
    ['expired-upload-url', 'attachments/storage-refused'],
    ['attachment-files-missing', 'attachments/file-missing'],
    ['interrupted-download', 'http/unreachable'],
    ['storage-unreachable', 'http/unreachable'],
    ['attachments-forbidden', 'attachments/forbidden'],
    ['malformed-answers', 'attachments/invalid-response'],
  ])(
    'leaves no file: %s',
    async (scenario, code) => {
      const { attachmentId, control, downloaded, names } = await startDownloads()
      await control(`/scenarios/${scenario}`)
      const failed = await downloaded(attachmentId)
      expect(errorOf(failed)).toMatchObject({ code })
      expect(JSON.stringify(failed)).not.toContain('signature')
      expect(await names()).toEqual([])
    },
    longMs,
  )

  it('leaves no file when it is cancelled', async () => {
    const { attachmentId, control, transfers, target, names } = await startDownloads()
    const match = { method: 'GET', path: '/storage/*' }
    await control('/faults', { match, fault: { slowBodyMs: 600_000 } })
    const { id } = await transfers.download(instanceId, { attachmentId, to: { folder: target } })
    await reaches(transfers, id, ({ state }) => state === 'transferring')
    expect((await names()).map((name) => name.endsWith('.part'))).toEqual([true])
    transfers.cancel(id)
    expect(await transfers.ended(id)).toMatchObject({ state: 'cancelled' })
    expect(await names()).toEqual([])
  })

  it('deletes what a killed process left in the folder, but no file that somebody may still write', async () => {
    const { attachmentId, downloaded, target, names } = await startDownloads('x')
    const twoDaysAgo = new Date(Date.now() - 2 * 86_400_000)
    const make = async (name: string, changed: Date): Promise<void> => {
      await writeFile(join(target, name), 'half')
      await utimes(join(target, name), changed, changed)
    }
    await make('.causeway-0123456789abcdef.part', twoDaysAgo)
    await make('.causeway-fedcba9876543210.part', new Date())
    await make('.causeway-notes.part', twoDaysAgo)
    expect(await downloaded(attachmentId)).toMatchObject({ state: 'done' })
    expect(await names()).toEqual(['.causeway-fedcba9876543210.part', '.causeway-notes.part', 'x.bin'])
  })

  it('reports a missing folder', async () => {
    const { attachmentId, target, downloaded } = await startDownloads()
    const failed = await downloaded(attachmentId, { to: { folder: join(target, 'none') } })
    expect(errorOf(failed)).toMatchObject({
      code: 'attachments/file-unwritable',
      details: { reason: 'no-folder' },
    })
  })
})
