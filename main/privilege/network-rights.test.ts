import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it, onTestFinished } from 'vitest'

import { canConfigureNetwork, mayPassOnNetAdmin } from './network-rights'

const status = (effective: string, ambient: string) =>
  `Name:\tnode\nCapInh:\t0000000000000000\nCapEff:\t${effective}\nCapBnd:\t000001ffffffffff\nCapAmb:\t${ambient}\n`
const none = '0000000000000000'
const netAdmin = '0000000000001000'
const allButNetAdmin = '000001ffffffefff'

describe('permission to configure the network', () => {
  it.each([
    ['root', netAdmin, none, true, true],
    ['root of a container without the right', allButNetAdmin, none, true, false],
    ['a user', none, none, false, false],
    ['a user with the right for this program only', netAdmin, none, false, false],
    ['a user with the right for programs it starts too', netAdmin, netAdmin, false, true],
  ])('is read for %s', (_, effective, ambient, isRoot, expected) => {
    expect(mayPassOnNetAdmin(status(effective, ambient), isRoot)).toBe(expected)
  })

  it('is not assumed without information from the system', () => {
    expect(mayPassOnNetAdmin('Name:\tnode\n', true)).toBe(false)
  })

  it.runIf(process.platform === 'linux')("is read from the kernel's status of this process", async () => {
    const isRoot = process.geteuid?.() === 0
    expect(await canConfigureNetwork()).toBe(
      mayPassOnNetAdmin(await readFile('/proc/self/status', 'utf8'), isRoot),
    )
    const folder = await mkdtemp(join(tmpdir(), 'causeway-rights-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    await writeFile(join(folder, 'status'), status(none, none))
    expect(await canConfigureNetwork('linux', join(folder, 'status'))).toBe(false)
    expect(await canConfigureNetwork('darwin')).toBe(isRoot)
  })

  it.runIf(process.platform === 'linux' && process.geteuid?.() === 0)(
    'can be removed from root',
    async () => {
      const { stdout } = await execa('setpriv', ['--bounding-set', '-net_admin', 'cat', '/proc/self/status'])
      expect(mayPassOnNetAdmin(stdout, true)).toBe(false)
    },
  )
})
