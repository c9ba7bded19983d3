import { randomBytes } from 'node:crypto'
import { appendFile, mkdir, mkdtemp, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { beforeEach, describe, expect, it } from 'vitest'
import { extensionOf, inspectFile, readUnchanged, titleOf } from './local-file'

let folder: string
let path: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-file-'))
  path = join(folder, 'a.bin')
  await writeFile(path, Buffer.alloc(600_000, 1))
  return () => rm(folder, { recursive: true })
})

describe('files that cannot be uploaded', () => {
  it.each([
    ['missing', () => join(folder, 'none')],
    ['missing', () => join(path, 'below')],
    ['directory', () => folder],
  ])('reports the reason: %s', async (reason, given) => {
    await expect(inspectFile(given())).rejects.toMatchObject({
      code: 'attachments/file-unreadable',
      details: { reason },
    })
  })

  it.runIf(process.platform === 'linux')('rejects a device without reading it', async () => {
    await expect(inspectFile('/dev/zero')).rejects.toMatchObject({ details: { reason: 'not-a-file' } })
  })

  it.runIf(process.platform === 'linux')(
    'rejects a file of the kernel, whose size is not known',
    async () => {
      await expect(inspectFile('/proc/self/status')).rejects.toMatchObject({
        details: { reason: 'not-a-file' },
      })
      await writeFile(path, '')
      expect(await inspectFile(path)).toMatchObject({ size: 0 })
    },
  )

  it.skipIf(process.platform === 'win32')('rejects a pipe without waiting for it', async () => {
    const pipe = join(folder, 'pipe.txt')
    await execa('mkfifo', [pipe])
    await expect(inspectFile(pipe)).rejects.toMatchObject({ details: { reason: 'not-a-file' } })
  })
})

describe('reading a file', () => {
  async function read(between: () => Promise<void>): Promise<number> {
    const file = await inspectFile(path)
    let bytes = 0
    let pieces = 0
    for await (const chunk of readUnchanged(file)) {
      bytes += chunk.byteLength
      if (pieces === 0) await between()
      pieces += 1
    }
    return bytes
  }

  it('yields the whole file, also an empty one', async () => {
    expect(await read(() => Promise.resolve())).toBe(600_000)
    await writeFile(path, '')
    expect(await read(() => Promise.resolve())).toBe(0)
  })

  it('keeps the bytes of each chunk until the next one is asked for', async () => {
    const content = randomBytes(5_000_000)
    await writeFile(path, content)
    let at = 0
    for await (const chunk of readUnchanged(await inspectFile(path))) {
      // The next read runs meanwhile, into another buffer.
      await stat(path)
      expect(Buffer.compare(chunk, content.subarray(at, at + chunk.byteLength))).toBe(0)
      at += chunk.byteLength
    }
    expect(at).toBe(content.byteLength)
  })

  type Change = [what: string, reason: string, change: () => Promise<unknown>]
  const replacements: Change[] = [
    ['vanishes', 'vanished', () => rm(path)],
    ['becomes a folder', 'changed', () => rm(path).then(() => mkdir(path))],
    ['becomes a pipe', 'changed', () => rm(path).then(() => execa('mkfifo', [path]))],
  ]

  it.each<Change>([
    ['grows', 'changed', () => appendFile(path, 'x')],
    ['shrinks', 'changed', () => writeFile(path, 'x')],
    ['is touched', 'changed', () => utimes(path, 1, 1)],
    // On Windows, an open file keeps its name until it is closed.
    ...(process.platform === 'win32' ? [] : replacements),
  ])('fails if the file %s meanwhile', async (_what, reason, change) => {
    const reading = read(async () => {
      await change()
    })
    await expect(reading).rejects.toMatchObject({ code: 'attachments/file-changed', details: { reason } })
  })
})

it.skipIf(process.platform === 'win32')('does not wait for a pipe in place of the file', async () => {
  const file = await inspectFile(path)
  await rm(path)
  await execa('mkfifo', [path])
  await expect(readUnchanged(file).next()).rejects.toMatchObject({
    code: 'attachments/file-unreadable',
    details: { reason: 'not-a-file' },
  })
})

describe('the name of a file', () => {
  it.each([
    ['/x/Report 2026.PDF', 'Report 2026', 'pdf'],
    ['/x/archive.tar.gz', 'archive.tar', 'gz'],
    ['/x/a\nb\u0007.txt', 'a b', 'txt'],
    ['/x/ü"<b>.c++', 'ü"<b>', 'c++'],
  ])('gives the title and extension: %j', (name, title, extension) => {
    expect([titleOf(name), extensionOf(name)]).toEqual([title, extension])
  })

  it.each(['/x/README', '/x/.bashrc', '/x/dot.'])('throws for a name without an extension: %s', (name) => {
    expect(() => extensionOf(name)).toThrow(expect.objectContaining({ code: 'attachments/extension-needed' }))
  })
})
