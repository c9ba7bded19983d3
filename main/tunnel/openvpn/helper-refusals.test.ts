import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { execa } from 'execa'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'

import { cases } from '../../../scripts/fuzzing'
import { isNightly } from '../../../scripts/nightly-tests'
import { handlingOf, writeDirective } from './allowed-directives'
import table from '../../../helper/allowed-directives.json' with { type: 'json' }
import pushedOptions from '../../../helper/pushed-options.json' with { type: 'json' }
import { tokenizeConfiguration } from './configuration-tokenizer'
import { hostileTexts } from './hostile-configurations.testing'
import { installTestHelper, mayMakeNamespaces, type TestHelper } from '../../privilege/helper.testing'
import { readRemotes } from './remotes'

/**
 * Replaces OpenVPN with a program that records its input, or with its script if the file `as-script` exists. If the folder `many`
 * exists, the helper runs in the same namespace for each configuration in it.
 */
const recorder = `
if [ ! -f $folder/recorder ]; then
# The helper runs OpenVPN for root as another user.
chmod 755 $folder
mkdir -m 1777 $folder/records
cat >$folder/script <<'END'
#!/bin/sh
printf '%s\\n' "$@" >FOLDER/records/arguments
env >FOLDER/records/environment
cat >FOLDER/records/configuration
END
sed -i "s#FOLDER#$folder#" $folder/script
chmod 755 $folder/script
cp $folder/script $folder/recorder
stand_in $folder/recorder
fi
program=recorder
[ ! -f $folder/as-script ] || program=script
mount --bind $folder/$program /usr/sbin/openvpn
if [ -d $folder/many ]; then
  for each in $folder/many/*; do $folder/libexec/causeway-helper run <$each >$each.output 2>&1; done
  exit 0
fi
`

const harmless = ['client', 'remote 192.0.2.1 1194 udp']

const requestFor = (configuration: string) => `kill-switch off\ndns off\n${configuration}#END\n`

/** Needs root, for a mount namespace that replaces OpenVPN. */
describe.runIf(await mayMakeNamespaces())('the helper', { timeout: isNightly ? 600_000 : 120_000 }, () => {
  let installed: TestHelper

  beforeAll(async () => {
    installed = await installTestHelper(recorder)
  })
  afterAll(() => installed.remove())

  /** Returns the configuration that the helper passes to OpenVPN, if any, and the helper's output. */
  async function hand(
    configuration: string,
    env: Readonly<Record<string, string>> = {},
  ): Promise<{ handed: string | undefined; output: string }> {
    const file = path.join(installed.folder, 'records', 'configuration')
    await rm(file, { force: true })
    const subprocess = execa(installed.helper, ['run'], {
      stdin: 'pipe',
      reject: false,
      timeout: 60_000,
      env,
    })
    subprocess.stdin.on('error', () => undefined)
    subprocess.stdin.write(requestFor(configuration))
    const { stderr } = await subprocess
    return { handed: await readFile(file, 'utf8').catch(() => undefined), output: stderr }
  }

  /** Hands each of these lines over in a configuration of its own, and returns the helper's outputs. */
  async function handEach(lines: readonly string[]): Promise<readonly string[]> {
    const many = path.join(installed.folder, 'many')
    await mkdir(many)
    const file = (index: number) => path.join(many, String(index))
    const configurations = lines.map((line) => requestFor(`${harmless.join('\n')}\n${line}\n`))
    await Promise.all(configurations.map((text, index) => writeFile(file(index), text)))
    await execa(installed.helper)
    const outputs = await Promise.all(lines.map((_, index) => readFile(`${file(index)}.output`, 'utf8')))
    await rm(many, { recursive: true })
    return outputs
  }

  /** Expects that the helper refuses each of these lines in a configuration, and passes none on to OpenVPN. */
  async function expectRefused(lines: readonly string[]): Promise<void> {
    const record = path.join(installed.folder, 'records', 'configuration')
    await rm(record, { force: true })
    const outputs = await handEach(lines)
    expect(existsSync(record)).toBe(false)
    for (const [index, line] of lines.entries())
      expect(outputs[index], line).toMatch(/^causeway-helper: (refused|failed) [!-~]{1,40}$/m)
  }

  it('passes on its own configuration, with its own device, and its own options last', async () => {
    const { handed } = await hand(
      [
        ...harmless,
        'dev tun7',
        'ping 10',
        '<ca>',
        '-----BEGIN CERTIFICATE-----',
        'AAAA',
        '-----END CERTIFICATE-----',
        '</ca>',
        '',
      ].join('\n'),
    )
    expect(handed).toMatch(
      /^client\ndev cw\d+t\ndev-type tun\npersist-tun\nnobind\nremote-cert-tls server\nremote 192\.0\.2\.1 1194 udp\nping 10\n<ca>\n-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n<\/ca>\n$/,
    )
    const words = await readFile(path.join(installed.folder, 'records', 'arguments'), 'utf8')
    const filters = pushedOptions.flatMap(([action, beginning]) => ['--pull-filter', action, beginning])
    expect(words.replace(/cw\d+t/, 'DEVICE').split('\n')).toEqual([
      ...['--config', 'stdin', '--dev', 'DEVICE', '--client', '--dev-type', 'tun', '--script-security', '1'],
      ...['--ignore-unknown-option', 'dns-updown', '--dns-updown', 'disable'],
      ...['--verb', '3', '--suppress-timestamps', '--persist-tun', ...filters, '--mark', '12288', ''],
    ])
  })

  it('passes on no environment, which could name libraries', async () => {
    const folders = {
      LD_LIBRARY_PATH: '/nowhere',
      DYLD_LIBRARY_PATH: '/nowhere',
      DYLD_INSERT_LIBRARIES: '/nowhere',
    }
    const { output } = await hand(`${harmless.join('\n')}\n`, {
      ...folders,
      LD_AUDIT: '',
      OPENSSL_CONF: '/nowhere',
    })
    expect(output).toContain('started')
    // The shell sets these itself.
    const inherited = (await readFile(path.join(installed.folder, 'records', 'environment'), 'utf8'))
      .split('\n')
      .filter((line) => !/^(PWD|SHLVL|_)=|^$/.test(line))
    expect(inherited).toEqual([])
  })

  it('runs no script, because it cannot tell what that loads', async () => {
    const asScript = path.join(installed.folder, 'as-script')
    await writeFile(asScript, '')
    onTestFinished(() => rm(asScript))
    const { handed, output } = await hand(`${harmless.join('\n')}\n`)
    expect(handed).toBeUndefined()
    expect(output).toContain('causeway-helper: failed openvpn-of-others')
  })

  // The shell drops NUL bytes and may change backslashes, so the output is compared with the input.
  it('passes on accepted lines byte by byte, and adds no others', async () => {
    const lines = [
      ...harmless,
      ...samples.filter((line) => !isForced.test(line) && !line.startsWith('remote ')),
    ]
    const nul = lines.map((line, index) => (index % 5 === 2 ? `${line.slice(0, 3)}\0${line.slice(3)}` : line))
    for (const sent of [lines, nul]) {
      const { handed = '', output } = await hand(`${sent.join('\n')}\n`)
      expect(output).toContain(sent === lines ? 'started' : 'causeway-helper: ')
      if (!output.includes('started')) continue
      expect(handed).toMatch(/^[^\p{Cc}\n]*(?:\n[^\p{Cc}\n]*)*$/u)
      const own = /^(client|dev cw\d+t|dev-type tun|persist-tun|nobind|remote-cert-tls server)$/
      const written = handed.split('\n').slice(0, -1)
      expect(written.filter((line) => !own.test(line))).toEqual(lines.filter((line) => !own.test(line)))
    }
  })

  it('rejects every directive of hostile configurations', async () => {
    expect(hostileTexts.length).toBeGreaterThanOrEqual(150)
    await expectRefused(hostileTexts)
  })

  it('accepts every line that the app writes, and rejects what the app rejects', async () => {
    const names = [table.keep, table.keepOnLinux, table.rewrite].flatMap(Object.keys)
    expect(samples.map((line) => line.split(' ')[0]).sort()).toEqual(names.sort())
    expect(samples.filter((line) => !appTakes(line))).toEqual([])
    const { handed = '', output } = await hand(`${[...harmless, ...samples].join('\n')}\n`)
    expect(output).toContain('started')
    const written = handed.split('\n')
    expect(samples.filter((line) => !written.includes(line) && !isForced.test(line))).toEqual([])

    const wrong = samples.map((line, index) => mutations[index % mutations.length]?.(line) ?? line)
    await expectRefused([...wrong, 'block-outside-dns'].filter((each) => !appTakes(each)))
    const right = wrong.filter((line) => appTakes(line) && !line.startsWith('remote '))
    const again = (await hand(`${[...harmless, ...right].join('\n')}\n`)).handed?.split('\n')
    expect(right.filter((line) => again?.includes(line) !== true && !isForced.test(line))).toEqual([])
  })

  it('accepts and rejects the same changed lines as the app', async () => {
    const character = fc.oneof(
      fc.constantFrom(...Array.from(' 0129azAZ.:;/_-"%~<>#')),
      fc.string({ minLength: 1, maxLength: 1 }),
    )
    const changed = fc
      .tuple(fc.constantFrom(...samples), fc.nat(60), fc.nat(2), fc.array(character, { maxLength: 2 }))
      .map(([line, at, gone, more]) => line.slice(0, at) + more.join('') + line.slice(at + gone))
    const { numRuns, seed } = cases('a changed line, read by the app and the helper')
    const atOnce = 50
    await fc.assert(
      fc.asyncProperty(fc.array(changed, { minLength: atOnce, maxLength: atOnce }), async (lines) => {
        const outputs = await handEach(lines)
        for (const [index, line] of lines.entries())
          expect(outputs[index]?.includes('started'), JSON.stringify(line)).toBe(appTakes(line))
      }),
      { numRuns: numRuns / atOnce, seed },
    )
  })
})

/** The lines that the helper writes itself. */
const isForced = /^(client|tls-client|pull|dev|dev-type|persist-tun|nobind|remote-cert-tls)( |$)/

/** One line for each directive. */
const samples = [
  'remote-random',
  'float',
  'persist-key',
  'block-ipv6',
  'verify-x509-name "C=DE, O=\\"Köln\\", CN=vpn" subject',
  'tls-version-min 1.2 or-highest',
  'tls-version-max 1.3',
  'tls-cipher TLS-ECDHE-RSA-WITH-AES-256-GCM-SHA384',
  'tls-ciphersuites TLS_AES_256_GCM_SHA384',
  'tls-groups X25519:secp256r1',
  'ecdh-curve secp256r1',
  'tls-cert-profile preferred',
  'cipher AES-256-GCM',
  'data-ciphers AES-256-GCM:?CHACHA20-POLY1305',
  'ncp-ciphers AES-256-GCM',
  'data-ciphers-fallback AES-256-CBC',
  'auth SHA256',
  'key-direction 1',
  'reneg-sec 0',
  'reneg-bytes 0',
  'reneg-pkts 0',
  'tran-window 3600',
  'tls-timeout 2',
  'replay-window 64 15',
  'keepalive 10 60',
  'ping 10',
  'ping-restart 60',
  'explicit-exit-notify',
  'push-peer-info',
  'passtos',
  'setenv UV_A b',
  'allow-compression no',
  'compress',
  'comp-lzo no',
  'tun-mtu 1500',
  'link-mtu 1500',
  'mssfix',
  'mtu-disc maybe',
  'sndbuf 0',
  'rcvbuf 0',
  'topology subnet',
  'route 10.0.0.0 255.0.0.0 vpn_gateway default',
  'route-ipv6 fd00::/8 default 10',
  'route-gateway 10.0.0.1',
  'route-metric 50',
  'redirect-gateway def1 !ipv4',
  'dhcp-option DNS 192.0.2.53',
  'dns server 0 address 192.0.2.53 2001:db8::53',
  'fragment 1300',
  'client',
  'tls-client',
  'pull',
  'dev tun',
  'dev-type tun',
  'proto tcp-client',
  'port 1194',
  'rport 1194',
  'remote vpn.example.org 443 tcp4',
  'nobind',
  'persist-tun',
  'remote-cert-tls server',
  'socket-flags TCP_NODELAY',
  'hand-window 10',
  'server-poll-timeout 10',
  'connect-timeout 10',
  'connect-retry 1 30',
  'connect-retry-max unlimited',
  'resolv-retry infinite',
]

/** Small changes, some of which keep a line valid. */
const mutations: readonly ((line: string) => string)[] = [
  (line) => `${line} 1`,
  (line) => line.slice(0, -1),
  (line) => `${line} `,
  (line) => line.replace(' ', '  '),
  (line) => line.replace(/[0-9]+/, '99999999'),
  (line) => `${line}"`,
  (line) => line.split(' ')[0] ?? line,
  (line) => `${line};x`,
]

/** Returns true if the app writes this line into a configuration for Linux. */
function appTakes(line: string): boolean {
  try {
    const [item, ...more] = tokenizeConfiguration(line)
    if (item?.kind !== 'directive' || more.length > 0) return false
    const handling = handlingOf(item)
    readRemotes([item])
    return !['drop', 'interpret', 'keepOnWindows'].includes(handling) && writeDirective(item) === line
  } catch {
    return false
  }
}
