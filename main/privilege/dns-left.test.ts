import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { isDnsLeft } from './dns-left'

let folder: string
const kept = () => join(folder, 'resolv.conf.before-causeway')

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-etc-'))
})

afterEach(async () => {
  await rm(folder, { recursive: true })
})

const isLeft = (owner = process.getuid?.() ?? 0) =>
  isDnsLeft({ etc: folder, networkManager: join(folder, 'conf.d'), processes: folder }, owner)

it('finds nothing on a computer as it should be', async () => {
  await writeFile(join(folder, 'resolv.conf'), 'nameserver 192.0.2.1\n')
  expect(await isLeft()).toBe(false)
  await mkdir(join(folder, 'conf.d'))
  await writeFile(join(folder, 'conf.d', 'another.conf'), '')
  expect(await isLeft()).toBe(false)
})

it.each([
  ['a kept file, or a kept link to nothing', () => symlink('/run/nothing/resolv.conf', kept())],
  [
    'its own file alone',
    () =>
      writeFile(
        join(folder, 'resolv.conf'),
        '# Written by Causeway while a VPN is connected. Afterwards, …\nnameserver 10.0.0.53\n',
      ),
  ],
  [
    'a file for NetworkManager',
    async () => {
      await mkdir(join(folder, 'conf.d'))
      await writeFile(join(folder, 'conf.d', 'zz-causeway-1-cw7t.conf'), '')
    },
  ],
])("finds %s, unless a helper runs, not only a process of somebody's with its name", async (_what, leave) => {
  await leave()
  await mkdir(join(folder, '7'))
  await writeFile(join(folder, '7', 'comm'), 'bash\n')
  // One that has ended meanwhile.
  await mkdir(join(folder, '8'))
  expect(await isLeft()).toBe(true)
  await writeFile(join(folder, '7', 'comm'), 'causeway-helper\n')
  expect(await isLeft()).toBe(false)
  expect(await isLeft((process.getuid?.() ?? 0) + 1)).toBe(true)
})
