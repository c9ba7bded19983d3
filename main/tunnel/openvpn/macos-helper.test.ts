import { rm, writeFile } from 'node:fs/promises'
import { execa } from 'execa'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

import pushedOptions from '../../../helper/pushed-options.json' with { type: 'json' }
import { helperCommand, helperDidNotStart } from '../../privilege/start-helper'
import { mayMakeNamespaces } from '../../privilege/helper.testing'
import { hostileTexts } from './hostile-configurations.testing'
import { fakeMacos, harmless, type MacosComputer } from './macos-computer.testing'
import { slow } from '../../../scripts/slow.testing'

vi.setConfig({ testTimeout: 120_000 })

const may = await mayMakeNamespaces()
if (!may) {
  process.stderr.write('Left out, because no mount namespace can be made here: the helper of macOS.\n')
}

describe.runIf(may)('the helper of macOS, with fake programs', () => {
  let computer: MacosComputer

  beforeAll(async () => {
    computer = await fakeMacos()
  })
  afterAll(() => computer.remove())
  beforeEach(() => computer.reset())

  const file = (name: string) => computer.file(name)
  const text = (name: string) => computer.text(name)
  const launch = () => computer.launch()

  /** Returns the configuration that the helper passes to OpenVPN, if any, and the helper's output. */
  async function hand(configuration: string, header = 'kill-switch off\ndns off\n') {
    await rm(file('configuration'), { force: true })
    const subprocess = execa(computer.helper, ['run'], { stdin: 'pipe', reject: false, timeout: 60_000 })
    subprocess.stdin.on('error', () => undefined)
    subprocess.stdin.write(`${header}${configuration}#END\n`)
    const { stderr } = await subprocess
    return { handed: await text('configuration'), output: stderr }
  }

  it('passes on its own configuration, with its own options last', async () => {
    const { handed } = await hand(`${[...harmless, 'dev tun7', 'ping 10'].join('\n')}\n`)
    expect(handed).toBe(
      'client\ndev tun\ndev-type tun\npersist-tun\nnobind\nremote-cert-tls server\nremote 192.0.2.1 1194 udp\nping 10\n',
    )
    const words = ((await text('arguments')) ?? '')
      .replace(/utun\d+/, 'INTERFACE')
      .replace(/cw\d+t/, 'DEVICE')
    const filters = pushedOptions.flatMap(([action, beginning]) => ['--pull-filter', action, beginning])
    expect(words.split('\n')).toEqual([
      ...['--config', 'stdin', '--dev', 'tun', '--client', '--dev-type', 'tun', '--script-security', '1'],
      ...['--ignore-unknown-option', 'dns-updown', '--dns-updown', 'disable'],
      ...['--verb', '3', '--suppress-timestamps', '--persist-tun', ...filters],
      ...['--dev-node', 'INTERFACE', '--setenv', 'causeway', 'DEVICE', ''],
    ])
  })

  slow('rejects every directive of hostile configurations', async () => {
    expect(hostileTexts.length).toBeGreaterThanOrEqual(150)
    const texts = hostileTexts.values()
    // All share one OpenVPN, which never runs.
    const work = async () => {
      for (const hostile of texts) {
        const { handed, output } = await hand(`${harmless.join('\n')}\n${hostile}\n`)
        expect(handed, hostile).toBeUndefined()
        expect(output, hostile).toMatch(/^causeway-helper: (refused|failed) [!-~]{1,40}$/m)
      }
    }
    await Promise.all([work(), work(), work(), work()])
  })

  it('rejects an OpenVPN that a user may change, as installed by Homebrew', async () => {
    await writeFile(file('homebrew'), '')
    const { handed, output } = await hand(`${harmless.join('\n')}\n`)
    expect(handed).toBeUndefined()
    expect(output).toContain('causeway-helper: failed openvpn-of-others')
  })

  it("keeps the loader's folders for missing libraries from users", async () => {
    await hand(`${harmless.join('\n')}\n`)
    const lines = (await text('environment'))?.split('\n') ?? []
    // The shell sets the others itself.
    expect(lines.filter((line) => !/^(PWD|SHLVL|_)=|^$/.test(line)).sort()).toEqual([
      'DYLD_FALLBACK_FRAMEWORK_PATH=/System/Library/Frameworks',
      'DYLD_FALLBACK_LIBRARY_PATH=/usr/lib',
    ])
  })

  it('rejects a script, because it cannot tell what that loads', async () => {
    await writeFile(file('wrapped'), '')
    const { handed, output } = await hand(`${harmless.join('\n')}\n`)
    expect(handed).toBeUndefined()
    expect(output).toContain('causeway-helper: failed openvpn-of-others')
  })

  it('sets the DNS servers of a tunnel, and restores them at its end', async () => {
    const { openVpn } = await launch()
    expect(
      await openVpn.applyDns?.({ servers: ['10.0.0.53', '10.0.0.54'], domains: ['corp.example'] }),
    ).toMatchObject({ applied: true })
    expect(await text('names')).toMatch(
      /^d\.init\nd\.add ServerAddresses \* 10\.0\.0\.53 10\.0\.0\.54\nd\.add SupplementalMatchDomains \* corp\.example\nd\.add SearchDomains \* corp\.example\nset State:\/Network\/Service\/org\.causeway\.cw\d+t\/DNS\n$/,
    )
    expect(await openVpn.applyDns?.({ servers: ['10.0.0.53'], domains: ['.'] })).toMatchObject({
      applied: true,
    })
    expect(await text('names')).toContain('d.add SupplementalMatchDomains * ""\n')
    expect(
      await openVpn.applyDns?.({ servers: ['10.0.0.53'], domains: ['a" remove State:/x'] }),
    ).toMatchObject({ applied: false })

    openVpn.end({ hasBegun: true })
    expect(await openVpn.exited).toEqual({ exitCode: 0 })
    expect(await text('ended')).toBe('ended')
    expect(await text('names')).toBeUndefined()
    // OpenVPN removes its routes itself.
    expect(await text('route.log')).toBeUndefined()
  })

  it('reports that DNS servers could not be set', async () => {
    await writeFile(file('deaf'), '')
    const { openVpn } = await launch()
    expect(await openVpn.applyDns?.({ servers: ['10.0.0.53'], domains: [] })).toMatchObject({
      applied: false,
    })
    openVpn.end({ hasBegun: true })
    await openVpn.exited
  })

  it('leaves nothing behind when the helper or OpenVPN is killed', async () => {
    const first = await launch()
    expect(await first.openVpn.applyDns?.({ servers: ['10.0.0.53'], domains: [] })).toMatchObject({
      applied: true,
    })
    const helper = /cw(\d+)t/.exec((await text('arguments')) ?? '')?.[1]
    process.kill(Number(helper), 'SIGKILL')
    await first.openVpn.exited
    await vi.waitFor(async () => {
      expect(await text('ended')).toBe('ended')
      expect(await text('names')).toBeUndefined()
      // OpenVPN was told to end, and removed its route itself.
      expect(await text('route.log')).toBeUndefined()
      expect((await execa('pgrep', ['-f', `cw${String(helper)}t`], { reject: false })).stdout).toBe('')
    })

    const second = await launch()
    const name = /cw\d+t/.exec((await text('arguments')) ?? '')?.[0] ?? 'none'
    const { stdout } = await execa('pgrep', ['-f', `openvpn .*${name}$`])
    process.kill(Number(stdout), 'SIGKILL')
    expect(await second.openVpn.exited).toEqual({ signal: '9' })
    // Earlier routes stay, including the computer's default route, and so do invalid addresses.
    expect(await text('route.log')).toBe('-n delete -net 192.0.2.1 192.168.1.1 255.255.255.255\n')
  })
})

it.skipIf(process.platform === 'win32')(
  'asks for permission with the program beside the helper, and explains a refusal',
  () => {
    const folder = '/Library/PrivilegedHelperTools/org.causeway.helper'
    expect(helperCommand(`${folder}/causeway-helper`, 'sudo-askpass', 'run')).toEqual([
      ...['/usr/bin/env', `SUDO_ASKPASS=${folder}/causeway-askpass`],
      ...['/usr/bin/sudo', '-A', '--', `${folder}/causeway-helper`, 'run'],
    ])
    expect(helperDidNotStart('sudo-askpass', 1)).toMatchObject({ code: 'helper/not-authorized' })
  },
)
