import { execa } from 'execa'
import { describe, expect, it } from 'vitest'

import { canConfigureNetwork, mayPassOnNetAdmin } from './network-rights'

const status = (effective: string, ambient: string) =>
  `Name:\tnode\nCapInh:\t0000000000000000\nCapEff:\t${effective}\nCapBnd:\t000001ffffffffff\nCapAmb:\t${ambient}\n`
const none = '0000000000000000'
const netAdmin = '0000000000001000'
const allButNetAdmin = '000001ffffffefff'

describe('the right to configure the network', () => {
  it.each([
    ['root', netAdmin, none, true, true],
    ['root of a container without the right', allButNetAdmin, none, true, false],
    ['a user', none, none, false, false],
    ['a user with the right for this program only', netAdmin, none, false, false],
    ['a user with the right for programs it starts too', netAdmin, netAdmin, false, true],
  ])('of %s', (_, effective, ambient, isRoot, expected) => {
    expect(mayPassOnNetAdmin(status(effective, ambient), isRoot)).toBe(expected)
  })

  it('is not assumed where the system does not say', () => {
    expect(mayPassOnNetAdmin('Name:\tnode\n', true)).toBe(false)
  })

  it.runIf(process.platform === 'linux')('is what the kernel says', async () => {
    const { exitCode } = await execa('ip', ['link', 'add', 'causeway-probe', 'type', 'no-such-type'], {
      reject: false,
      env: { PATH: `${process.env.PATH ?? ''}:/usr/sbin` },
    })
    expect(exitCode).not.toBe(0)
    expect(typeof (await canConfigureNetwork())).toBe('boolean')
  })
})
