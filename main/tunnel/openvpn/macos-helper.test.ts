import { readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

import { helperCommand, helperDidNotStart, type TunnelProgram } from '../../privilege/helper-client'
import type { HelperMessage } from '../../privilege/helper-messages'
import { installTestHelper, mayMakeNamespaces, type TestHelper } from '../../privilege/helper.testing'
import { hostileTexts } from './hostile-configurations.testing'
import { createHelperLauncher } from './helper-launcher'

/**
 * Fakes macOS for the helper, with programs that record their arguments. OpenVPN runs until it is told to end if the file
 * `stay` exists.
 */
const macos = `
mount -t tmpfs run /run
mount -t tmpfs -o mode=755 opt /opt
mkdir -p /opt/local/sbin /opt/homebrew/sbin $folder/programs
if [ ! -f $folder/programs/scutil ]; then
cat >$folder/programs/scutil <<'END'
#!/bin/sh
input=$(cat)
printf '%s\\n' "$input" >>FOLDER/scutil.log
case $input in
  show*) cat FOLDER/names ;;
  remove*) rm -f FOLDER/names ;;
  *) [ -f FOLDER/deaf ] || printf '%s\\n' "$input" >FOLDER/names ;;
esac
END
cat >$folder/programs/route <<'END'
#!/bin/sh
printf '%s\\n' "$*" >>FOLDER/route.log
END
cat >$folder/programs/netstat <<'END'
#!/bin/sh
printf '%s\\n' 'Destination Gateway Flags Netif Expire' 'default 192.168.1.1 UGScg en0' '192.0.2.7/32 192.168.1.1 UGSc en0'
[ ! -f FOLDER/added ] || printf '%s\\n' '192.0.2.1/32 192.168.1.1 UGSc en0'
END
cat >$folder/programs/openvpn <<'END'
#!/bin/sh
printf '%s\\n' "$@" >FOLDER/arguments
cat >FOLDER/configuration
[ -f FOLDER/stay ] || exit 0
touch FOLDER/added
printf '%s\\n' '/sbin/route add -net 192.0.2.1 192.168.1.1 255.255.255.255' \\
  '/sbin/route add -net 0.0.0.0 192.168.1.1 0.0.0.0' \\
  '/sbin/route add -net 192.0.2.7 192.168.1.1 255.255.255.255' '/sbin/route add -net 192.0.2.8;id x y' \\
  'Initialization Sequence Completed'
trap 'rm -f FOLDER/added; printf ended >FOLDER/ended; exit 0' TERM
while :; do sleep 0.05; done
END
sed -i "s#FOLDER#$folder#g" $folder/programs/*
chmod 755 $folder/programs/*
fi
[ ! -f $folder/stay ] || mount -t overlay overlay -o lowerdir=$folder/programs:/usr/sbin /usr/sbin
place=/opt/local/sbin
[ ! -f $folder/homebrew ] || place=/opt/homebrew/sbin
cp $folder/programs/openvpn $place/openvpn
[ ! -f $folder/homebrew ] || chown 501 $place
`

vi.setConfig({ testTimeout: 60_000 })

const harmless = ['client', 'remote 192.0.2.1 1194 udp']
const may = await mayMakeNamespaces()
if (!may) {
  process.stderr.write('Left out, because no mount namespace can be made here: the helper of macOS.\n')
}

describe.runIf(may)('the helper of macOS, with fake programs', () => {
  let installed: TestHelper

  beforeAll(async () => {
    installed = await installTestHelper(macos, '', 'macos')
  })
  afterAll(() => installed.remove())
  beforeEach(async () => {
    for (const name of ['stay', 'deaf', 'homebrew', 'ended', 'names', 'added', 'scutil.log', 'route.log'])
      await rm(file(name), { force: true })
  })

  function file(name: string): string {
    return path.join(installed.folder, name)
  }

  function text(name: string): Promise<string | undefined> {
    return readFile(file(name), 'utf8').catch(() => undefined)
  }

  /** Returns the configuration that the helper passes to OpenVPN, if any, and the helper's output. */
  async function hand(configuration: string, header = 'kill-switch off\ndns off\n') {
    await rm(file('configuration'), { force: true })
    const subprocess = execa(installed.helper, ['run'], { stdin: 'pipe', reject: false, timeout: 20_000 })
    subprocess.stdin.on('error', () => undefined)
    subprocess.stdin.write(`${header}${configuration}#END\n`)
    const { stderr } = await subprocess
    return { handed: await text('configuration'), said: stderr }
  }

  /** Starts a tunnel through the app's launcher, which runs until it is ended. */
  async function launch(): Promise<{ openVpn: TunnelProgram; lines: string[]; words: HelperMessage[] }> {
    await writeFile(file('stay'), '')
    const [lines, words]: [string[], HelperMessage[]] = [[], []]
    const openVpn = await createHelperLauncher({
      helper: installed.helper,
      elevation: 'root',
      onMessage: (message) => words.push(message),
    }).launch({ configuration: `${harmless.join('\n')}\n`, mode: 'full', killSwitch: false })
    void openVpn.followLog((line) => lines.push(line))
    await vi.waitFor(() => {
      expect(lines).toContain('Initialization Sequence Completed')
    }, 15_000)
    return { openVpn, lines, words }
  }

  it('passes on its own configuration, with its own options last', async () => {
    const { handed } = await hand(`${[...harmless, 'dev tun7', 'ping 10'].join('\n')}\n`)
    expect(handed).toBe(
      'client\ndev tun\ndev-type tun\npersist-tun\nnobind\nremote-cert-tls server\nremote 192.0.2.1 1194 udp\nping 10\n',
    )
    expect(await text('arguments')).toMatch(
      /^--config\nstdin\n--dev\ntun\n--dev-type\ntun\n--script-security\n1\n--verb\n3\n--suppress-timestamps\n--persist-tun\n--pull-filter\nignore\nverb\n--pull-filter\nignore\nmute\n--setenv\ncauseway\ncw\d+t\n$/,
    )
  })

  it('rejects every directive of hostile configurations', async () => {
    expect(hostileTexts.length).toBeGreaterThanOrEqual(150)
    const texts = hostileTexts.values()
    // All share one OpenVPN, which never runs.
    const work = async () => {
      for (const hostile of texts) {
        const { handed, said } = await hand(`${harmless.join('\n')}\n${hostile}\n`)
        expect(handed, hostile).toBeUndefined()
        expect(said, hostile).toMatch(/^causeway-helper: (refused|failed) [!-~]{1,40}$/m)
      }
    }
    await Promise.all([work(), work(), work(), work()])
  })

  it('rejects an OpenVPN that a user may change, as installed by Homebrew', async () => {
    await writeFile(file('homebrew'), '')
    const { handed, said } = await hand(`${harmless.join('\n')}\n`)
    expect(handed).toBeUndefined()
    expect(said).toContain('causeway-helper: failed openvpn-of-others')
  })

  it('reports that the kill switch is not supported instead of connecting without it', async () => {
    const { handed, said } = await hand(`${harmless.join('\n')}\n`, 'kill-switch on\ndns off\n')
    expect(handed).toBeUndefined()
    expect(said).toContain('causeway-helper: failed no-pf')
  })

  it('sets the DNS servers of a tunnel, and restores them at its end', async () => {
    const { openVpn } = await launch()
    expect(await openVpn.applyDns?.({ servers: ['10.0.0.53', '10.0.0.54'], domains: ['corp.example'] })).toBe(
      true,
    )
    expect(await text('names')).toMatch(
      /^d\.init\nd\.add ServerAddresses \* 10\.0\.0\.53 10\.0\.0\.54\nd\.add SupplementalMatchDomains \* corp\.example\nd\.add SearchDomains \* corp\.example\nset State:\/Network\/Service\/org\.causeway\.cw\d+t\/DNS\n$/,
    )
    expect(await openVpn.applyDns?.({ servers: ['10.0.0.53'], domains: ['.'] })).toBe(true)
    expect(await text('names')).toContain('d.add SupplementalMatchDomains * ""\n')
    expect(await openVpn.applyDns?.({ servers: ['10.0.0.53'], domains: ['a" remove State:/x'] })).toBe(false)

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
    expect(await openVpn.applyDns?.({ servers: ['10.0.0.53'], domains: [] })).toBe(false)
    openVpn.end({ hasBegun: true })
    await openVpn.exited
  })

  it('leaves nothing behind when the helper or OpenVPN is killed', async () => {
    const first = await launch()
    expect(await first.openVpn.applyDns?.({ servers: ['10.0.0.53'], domains: [] })).toBe(true)
    const helper = /cw(\d+)t/.exec((await text('arguments')) ?? '')?.[1]
    process.kill(Number(helper), 'SIGKILL')
    await first.openVpn.exited
    await vi.waitFor(async () => {
      expect(await text('ended')).toBe('ended')
      expect(await text('names')).toBeUndefined()
      // OpenVPN was told to end, and removed its route itself.
      expect(await text('route.log')).toBeUndefined()
      expect((await execa('pgrep', ['-f', `cw${String(helper)}t`], { reject: false })).stdout).toBe('')
    }, 15_000)

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
