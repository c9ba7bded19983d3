import { rm, writeFile } from 'node:fs/promises'
import { execa } from 'execa'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

import { releaseKillSwitch } from '../../privilege/helper-client'
import { mayMakeNamespaces } from '../../privilege/helper.testing'
import { fakeMacos, type MacosComputer, type RunningTunnel } from './macos-computer.testing'

const may = await mayMakeNamespaces()
if (!may) {
  process.stderr.write('Left out, because no mount namespace can be made here: the kill switch of macOS.\n')
}

describe.runIf(may)('the kill switch of macOS, with a fake pfctl', () => {
  let computer: MacosComputer
  const running: RunningTunnel[] = []

  beforeAll(async () => {
    computer = await fakeMacos(`
[ ! -f $folder/same-interface ] || echo "cw$(($$ + 30000))t" >$folder/state/0/kill-switch
`)
  })
  afterAll(() => computer.remove())
  beforeEach(() => computer.reset())
  afterEach(async () => {
    for (const { openVpn } of running.splice(0)) {
      openVpn.end({ hasBegun: true })
      await openVpn.exited
    }
    await releaseKillSwitch({ helper: computer.helper, elevation: 'root' })
  })

  async function launch(options: Parameters<MacosComputer['launch']>[0] = {}): Promise<RunningTunnel> {
    const tunnel = await computer.launch({ killSwitch: true, ...options })
    running.push(tunnel)
    return tunnel
  }

  async function end({ openVpn }: RunningTunnel): Promise<void> {
    openVpn.end({ hasBegun: true })
    await openVpn.exited
  }

  const rules = (user = 0) => computer.text(`anchors/${String(user)}`)
  const tokens = async () => ((await computer.text('tokens')) ?? '').split('\n').filter(Boolean)
  const calls = async () => ((await computer.text('pfctl.log')) ?? '').split('\n').filter(Boolean)

  /** Runs the helper directly, for another user. */
  async function runAs(user: number, command: readonly string[], input = '') {
    await writeFile(computer.file('stay'), '')
    const { stderr, exitCode } = await execa(computer.helper, command, {
      env: { SUDO_UID: String(user) },
      input,
      reject: false,
      timeout: 60_000,
    })
    return { stderr, exitCode }
  }

  it('is up before OpenVPN starts, for its interface, its server and nothing else', async () => {
    const { words } = await launch()
    expect(words.slice(0, 2)).toMatchObject([{ message: 'kill-switch', state: 'on' }, { message: 'started' }])
    const device = /^--dev-node\n(utun\d+)$/m.exec((await computer.text('arguments')) ?? '')?.[1]
    expect((await computer.text('anchors-before/0'))?.split('\n')).toEqual([
      'pass out on lo0 proto tcp all user = 0 tag causeway no state',
      `pass out on ${String(device)} proto tcp all user = 0 tag causeway no state`,
      'pass out on lo0 proto udp all user = 0 tag causeway no state',
      `pass out on ${String(device)} proto udp all user = 0 tag causeway no state`,
      'pass out inet proto udp from any to 192.0.2.1 port = 1194 user = 0 tag causeway no state',
      'pass out inet proto udp from any port = 68 to any port = 67 user = 0 tag causeway no state',
      'pass out inet6 proto udp from any port = 546 to any port = 547 user = 0 tag causeway no state',
      'block drop out quick proto tcp all user = 0 ! tagged causeway',
      'block drop out quick proto udp all user = 0 ! tagged causeway',
      '',
    ])
    expect(await tokens()).toHaveLength(1)
    expect((await calls()).at(-1)).toBe('-F states')
  })

  it('stays until it is released, and then gives its reference to pf back', async () => {
    await end(await launch())
    expect(await rules()).toContain('block drop')
    expect(await releaseKillSwitch({ helper: computer.helper, elevation: 'root' })).toBe('released')
    expect(await rules()).toBeUndefined()
    expect(await tokens()).toEqual([])
    expect(await releaseKillSwitch({ helper: computer.helper, elevation: 'root' })).toBe('none')
  })

  it('stays when the helper is killed, and the next tunnel replaces it in one load', async () => {
    const first = await launch()
    const before = await rules()
    const helper = /cw(\d+)t/.exec((await computer.text('arguments')) ?? '')?.[1]
    process.kill(Number(helper), 'SIGKILL')
    await first.openVpn.exited
    await vi.waitFor(async () => {
      expect(await computer.text('ended')).toBe('ended')
    })
    expect(await rules()).toBe(before)

    await rm(computer.file('pfctl.log'))
    await launch()
    expect(await rules()).not.toBe(before)
    expect((await calls()).filter((call) => / -f -| -F /.test(call))).toEqual([
      '-a com.apple/org.causeway.0 -o none -f -',
    ])
    expect(await tokens()).toHaveLength(1)
  })

  it('lets nobody else run a tunnel on an interface that it permits', async () => {
    await end(await launch())
    // Process ids come round again, and with them the numbers of interfaces.
    await writeFile(computer.file('same-interface'), '')
    const input = `kill-switch off\ndns off\nremote 192.0.2.1 1194 udp\n#END\n`
    expect(await runAs(1, ['run'], input)).toEqual({
      stderr: 'causeway-helper: failed device choose-device taken',
      exitCode: 65,
    })
    await rm(computer.file('same-interface'))
    expect((await runAs(1, ['run'], input)).stderr).toContain('started')
  })

  it('clears the states of pf again if somebody has turned pf off meanwhile', async () => {
    await end(await launch())
    await rm(computer.file('tokens'))
    await rm(computer.file('pfctl.log'))
    await launch()
    expect(await calls()).toContain('-F states')
    expect(await tokens()).toHaveLength(1)
  })

  it('tells a tunnel without it that it is still up', async () => {
    await end(await launch())
    const { words } = await launch({ killSwitch: false })
    await vi.waitFor(() => {
      expect(words).toContainEqual({ message: 'kill-switch', state: 'left' })
    })
  })

  it('passes the addresses of a name to pf and to OpenVPN, and keeps the last ones', async () => {
    const answer =
      'name: vpn.example\nipv6_address: 2001:db8::1\n\nname: vpn.example\nip_address: 192.0.2.1\n'
    await writeFile(computer.file('hosts'), answer)
    for (const hosts of [answer, '']) {
      await writeFile(computer.file('hosts'), hosts)
      await end(await launch({ remote: 'vpn.example 443 tcp' }))
      expect(await computer.text('configuration')).toContain(
        'remote 192.0.2.1 443 tcp\nremote 2001:db8::1 443 tcp\n',
      )
      expect(await rules()).toContain('pass out inet proto tcp from any to 192.0.2.1 port = 443 user = 0 ')
      expect(await rules()).toContain('pass out inet6 proto tcp from any to 2001:db8::1 port = 443 user = 0 ')
    }
  })

  it.each([
    ['pf does not evaluate its anchor', 'foreign', 'pf-anchor'],
    ['pf does not load its rules', 'deaf', 'pf add-rules not-loaded'],
  ])('starts no tunnel if %s, and leaves nothing behind', async (_reason, fault, word) => {
    await writeFile(computer.file(fault), '')
    const { stderr, exitCode } = await runAs(
      0,
      ['run'],
      'kill-switch on\ndns off\nclient\nremote 192.0.2.1\n#END\n',
    )
    expect([stderr, exitCode]).toEqual([`causeway-helper: failed ${word}`, 65])
    expect(await computer.text('arguments')).toBeUndefined()
    expect(await rules()).toBeUndefined()
    expect(await tokens()).toEqual([])
  })

  it('belongs to a user: others keep theirs, and an administrator lifts all', async () => {
    // An input that ends before the first command would end the look for the name.
    const request = 'kill-switch on\ndns off\nclient\nremote vpn.example 1194 udp\n#END\nno command\n'
    await writeFile(computer.file('hosts'), 'ip_address: 192.0.2.1\n')
    for (const user of [1, 2]) {
      // The input ends after it, and so does the tunnel.
      expect((await runAs(user, ['run'], request)).stderr).toContain('causeway-helper: kill-switch on')
      expect(await computer.text('asker')).toBe(`${String(user)}\n`)
    }
    expect(await rules(1)).toMatch(/^block drop out quick proto tcp all user = 1 /m)
    expect((await runAs(1, ['release'])).stderr).toContain('kill-switch released')
    expect([await rules(1), (await tokens()).length]).toEqual([undefined, 1])
    expect(await rules(2)).toContain('user = 2 ')
    expect((await runAs(0, ['release', '--all'])).stderr).toContain('kill-switch released')
    expect([await rules(2), await tokens()]).toEqual([undefined, []])
  })
})
