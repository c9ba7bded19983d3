import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { areOnOwnDisks } from './own-disks'

const folder = await realpath(await mkdtemp(join(tmpdir(), 'causeway-own-disks-')))
afterAll(() => rm(folder, { recursive: true, force: true }))
const table = join(folder, 'mountinfo')
const place = (name: string): string => join(folder, name)

await mkdir(place('data/log'), { recursive: true })
await mkdir(place('linking'))
await mkdir(place('far away'))
await symlink('../linking', place('data/within'))
await symlink(place('gone'), place('data/broken'))
await symlink('data', place('link'))
await symlink('link/../far away', place('around'))
await symlink(place('far away'), place('linking/out'))
await symlink('loop', place('loop'))

/** Returns whether these places are on own disks where the table of mounts has `mounts` besides the root. */
async function ask(
  places: readonly string[],
  mounts: readonly (readonly [point: string, type: string])[] = [],
) {
  const lines = [['/', 'ext4'] as const, ...mounts].map(
    ([point, type], index) =>
      `${index + 20} 1 0:${index} / ${point.replaceAll(' ', String.raw`\040`)} rw,relatime shared:1 master:2 - ${type} source rw`,
  )
  await writeFile(table, `${lines.join('\n')}\n`)
  return areOnOwnDisks(places, table)
}
const far = [place('far away'), 'nfs4'] as const

it.skipIf(process.platform === 'win32')(
  'says so of what is on a disk, and of what is not there',
  async () => {
    expect(await ask([place('data'), place('link'), place('gone/data')], [far])).toBe(true)
    expect(await ask([place('data')], [[place('data'), 'tmpfs']])).toBe(true)
  },
)

it.each(['nfs', 'cifs', 'fuse.sshfs', 'autofs', '9p', 'unheard-of'])('denies it of %s', async (type) => {
  for (const point of ['/', folder, place('data'), place('data/log')])
    expect(await ask([place('data')], [[point, type]]), point).toBe(false)
})

it.each(['linking', 'linking/out', 'around', 'around/data', 'loop'])(
  'denies it of %s, which leads elsewhere or nowhere',
  async (name) => {
    expect(await ask([place('data'), place(name)], [far])).toBe(false)
  },
)

it('denies it under another mount at the same place', async () => {
  const mounts = [
    [place('data'), 'nfs'],
    [place('data'), 'ext4'],
  ] as const
  expect(await ask([place('data/log')], mounts)).toBe(false)
})

it('denies it without a table, or with one that it cannot read', async () => {
  expect(areOnOwnDisks([place('data')], place('gone'))).toBe(false)
  await writeFile(table, '20 1 0:1 / / rw - ext4 source rw\nnonsense\n')
  expect(areOnOwnDisks([place('data')], table)).toBe(false)
})
