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

it('finds nothing on a computer as it should be', async () => {
  await writeFile(join(folder, 'resolv.conf'), 'nameserver 192.0.2.1\n')
  expect(await isDnsLeft(folder)).toBe(false)
})

it('finds a kept file, or a kept link to nothing, unless a helper runs', async () => {
  await symlink('/run/nothing/resolv.conf', kept())
  await mkdir(join(folder, '7'))
  await writeFile(join(folder, '7', 'comm'), 'bash\n')
  // One that has ended meanwhile.
  await mkdir(join(folder, '8'))
  expect(await isDnsLeft(folder, folder)).toBe(true)
  await writeFile(join(folder, '7', 'comm'), 'causeway-helper\n')
  expect(await isDnsLeft(folder, folder)).toBe(false)
})
