import { mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { makeFolder, makeFolderSync } from './make-folder'

describe.each([
  ['makeFolder', makeFolder],
  [
    'makeFolderSync',
    async (path: string) => {
      await Promise.resolve()
      makeFolderSync(path)
    },
  ],
] as const)('%s', (_, make) => {
  it('makes those above it too, and leaves alone what is there', async () => {
    const top = await mkdtemp(join(tmpdir(), 'causeway-folder-'))
    onTestFinished(() => rm(top, { recursive: true }))
    await make(join(top, 'a', 'b', 'c'))
    await make(join(top, 'a', 'b', 'c'))
    await symlink(join(top, 'a'), join(top, 'link'))
    await make(join(top, 'link'))
    expect((await stat(join(top, 'a', 'b', 'c'))).isDirectory()).toBe(true)
    await writeFile(join(top, 'file'), '')
    await expect(make(join(top, 'file'))).rejects.toMatchObject({ code: 'EEXIST' })
    await expect(make(join(top, 'file', 'below'))).rejects.toMatchObject({ code: 'ENOTDIR' })
  })

  it.runIf(process.platform === 'linux')('fails where the system can make none', async () => {
    await expect(make('/proc/none/below')).rejects.toMatchObject({ code: 'ENOENT' })
  })
})
