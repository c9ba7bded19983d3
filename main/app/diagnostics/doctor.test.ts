import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { readFileSync } from 'node:fs'
import { release, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { errorFindingCodes, findingNames, hasRemedy, troubleCodes } from '../../../contract/choices'
import doctorTexts from '../../../contract/locales/en/doctor.json' with { type: 'json' }
import { noPolicy } from '../../../contract/policy'
import { CausewayError } from '../../errors'
import { findOpenVpn } from '../../tunnel/openvpn/find-openvpn'
import { helperTargets } from '../../privilege/helper-files'
import { canConfigureNetwork } from '../../privilege/network-rights'
import { readyService } from '../../privilege/own-service.testing'
import { wireGuardHere } from '../../privilege/wireguard-here'
import { createFileSecretStore, type Secrets } from '../../platform/secret-store/file-secret-store'
import type { SecretStore } from '../../platform/secret-store/secret-store'
import type { FindingItem } from '../../../contract/doctor'
import { systemClock } from './computer-findings'
import { checksFor, diagnose } from './doctor'
import type { DoctorOptions } from './doctor-options'
import { foundHelper } from './helper-finding'
import { mayStartHelper, sessionFinding } from './session'

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'causeway-doctor-'))
  onTestFinished(() => rm(made, { recursive: true, force: true }))
  return made
}

/** A real store over a file in memory. */
function memoryStore(): { store: SecretStore; held: () => Secrets } {
  let secrets: Secrets = {}
  const file = {
    read: () => Promise.resolve(secrets),
    update: (change: (secrets: Secrets) => Secrets) => {
      secrets = change(secrets)
      return Promise.resolve(secrets)
    },
    removeCopies: () => Promise.resolve(),
  }
  return { store: createFileSecretStore({ path: '/nonexistent', file }), held: () => secrets }
}

const quietComputer = {
  appsHere: () => Promise.resolve('available' as const),
  dataDirectory: tmpdir(),
  isBlocked: () => Promise.resolve(false),
  ownDevices: () => Promise.resolve([]),
}

async function finding(
  name: FindingItem['name'],
  options: Partial<DoctorOptions> = {},
): Promise<FindingItem> {
  const findings = await diagnose({
    secretStore: memoryStore().store,
    openVpnPath: undefined,
    platform: 'linux',
    env: process.env,
    proxies: () => Promise.resolve([]),
    randomText: () => 'a text',
    findPolicy: () => Promise.resolve(undefined),
    ...quietComputer,
    ...options,
  })
  const found = findings.find((one) => one.name === name)
  if (found === undefined) throw new Error(`No finding about ${name}`)
  return found
}

/** The command of a program that answers like Causeway's helper on Windows. */
const says = (answer: unknown) =>
  process.platform === 'win32'
    ? ([process.execPath, '-e', `console.log(${JSON.stringify(JSON.stringify(answer))})`] as const)
    : (['/bin/echo', JSON.stringify(answer)] as const)

it('reports path and version of OpenVPN', async () => {
  const { path, version } = await findOpenVpn()
  expect(await finding('openvpn')).toEqual({
    name: 'openvpn',
    status: 'ok',
    code: 'openvpn-found',
    facts: { version, path },
  })
})

describe('WireGuard', () => {
  it('is missing without a helper', async () => {
    expect(await finding('wireguard', { helper: '/nonexistent' })).toMatchObject({
      status: 'limited',
      code: 'wireguard-needs-helper',
    })
  })

  it.runIf(process.getuid?.() === 0).each([
    [
      'offloads TSO, UDP GSO',
      { code: 'wireguard-built-in', facts: { version: 'v1.2.3', offloads: 'TSO, UDP GSO' } },
    ],
    ['offloads ', { code: 'wireguard-slow', facts: { version: 'v1.2.3' } }],
  ])("is the kernel's, or Causeway's own with `%s`", async (offloads, own) => {
    const bin = await folder()
    const helper = join(bin, 'causeway-helper')
    for (const name of ['causeway-helper', 'causeway-wireguard'])
      await writeFile(join(bin, name), `#!/bin/sh\necho "causeway-wireguard v1.2.3\n${offloads}"\n`, {
        mode: 0o755,
      })
    const dropped = await finding('wireguard', {
      helper,
      answersDropped: () => Promise.resolve('setting' as const),
    })
    expect(dropped).toMatchObject({ status: 'limited', code: 'wireguard-filtered' })
    expect(dropped.command).toContain('src_valid_mark=1')
    const kernel = { code: 'wireguard-kernel', facts: { version: `Linux ${release()}` } }
    expect(await finding('wireguard', { helper })).toMatchObject({
      status: 'ok',
      ...(wireGuardHere({ helper }) === 'kernel' ? kernel : own),
    })
  })
})

it.runIf(process.getuid?.() === 0)("is Causeway's own WireGuard on macOS", async () => {
  const bin = await folder()
  const helper = join(bin, 'causeway-helper')
  for (const name of ['causeway-helper', 'causeway-wireguard'])
    await writeFile(join(bin, name), '#!/bin/sh\necho "causeway-wireguard v1.2.3\noffloads "\n', {
      mode: 0o755,
    })
  expect(await finding('wireguard', { helper, platform: 'darwin' })).toMatchObject({
    status: 'ok',
    code: 'wireguard-own',
    facts: { version: 'v1.2.3' },
  })
})

it('explains how to build the helper if this copy of Causeway does not include it', async () => {
  const helperSources = await folder()
  expect(await finding('helper', { helper: '/nonexistent', helperSources })).toMatchObject({
    status: 'limited',
    code: 'helper-not-built',
    command: 'npm run build:helper && npm run cli -- helper install',
  })
})

it('tells how to get OpenVPN on each system', async () => {
  const bin = await folder()
  const missing = (platform: NodeJS.Platform) =>
    finding('openvpn', { openVpnPath: '/nonexistent', platform, env: { PATH: bin } })
  expect(await missing('win32')).toMatchObject({
    page: 'openvpn-download',
  })
  expect(await missing('darwin')).toMatchObject({
    page: 'macports',
    command: 'sudo port install openvpn2',
  })
  expect(await missing('linux')).toMatchObject({ status: 'missing', command: undefined })
  await writeFile(join(bin, 'dnf'), '', { mode: 0o755 })
  expect(await missing('linux')).toMatchObject({
    command: 'sudo dnf install openvpn',
  })
})

it.skipIf(process.platform === 'win32')('has a remedy for an old OpenVPN', async () => {
  const old = join(await folder(), 'openvpn')
  await writeFile(old, '#!/bin/sh\necho "OpenVPN 2.4.7 x86_64-pc-linux-gnu"\n')
  await chmod(old, 0o755)
  expect(await finding('openvpn', { openVpnPath: old })).toMatchObject({
    status: 'missing',
    error: 'openvpn/too-old',
    facts: { version: '2.4.7' },
  })
})

it.skipIf(process.platform === 'win32')('says that an OpenVPN is newer than any that was tried', async () => {
  const untried = join(await folder(), 'openvpn')
  await writeFile(untried, '#!/bin/sh\necho "OpenVPN 2.19.1 x86_64-pc-linux-gnu"\n')
  await chmod(untried, 0o755)
  expect(await finding('openvpn', { openVpnPath: untried })).toMatchObject({
    status: 'limited',
    code: 'openvpn-untried',
    facts: { version: '2.19.1', path: untried, tested: '2.7' },
  })
})

it('reports the same rights of this process as connecting uses', async () => {
  const found = await finding('rights', { helper: '/nonexistent' })
  expect(found.status).toBe((await canConfigureNetwork()) ? 'ok' : 'limited')
})

it.each(['linux', 'darwin'] as const)('explains how to install the helper on %s', async (platform) => {
  const resources = await folder()
  const helperSources = join(resources, 'app.asar')
  await mkdir(join(resources, 'helper'))
  for (const target of helperTargets(platform, '/')) {
    await writeFile(join(resources, 'helper', basename(target)), '')
  }
  expect(await finding('helper', { platform, helper: '/nonexistent', helperSources })).toMatchObject({
    status: 'limited',
    code: 'helper-missing',
  })
})

it.skipIf(process.platform === 'win32')('rejects a helper that other users can change', async () => {
  const helper = join(await folder(), 'causeway-helper')
  await writeFile(helper, '#!/bin/sh\n')
  await chmod(helper, 0o777)
  expect(await finding('helper', { helper })).toMatchObject({
    status: 'limited',
  })
})

it.runIf(process.getuid?.() === 0)('starts the helper to see whether it runs here', async () => {
  const helper = join(await folder(), 'causeway-helper')
  const found = async (text: string) => {
    await writeFile(helper, text, { mode: 0o755 })
    return finding('helper', { helper })
  }
  expect(await found('#!/bin/sh\n[ "$*" = version ]\n')).toMatchObject({ status: 'ok', code: 'helper-ready' })
  expect(await found('\x7fELF of another processor')).toMatchObject({
    status: 'missing',
    code: 'helper-broken',
    command: 'causeway helper install',
  })
})

it.runIf(process.platform === 'linux')(
  'opens the tunnel device, which need not be what its name says',
  async () => {
    const none = { helper: '/nonexistent' }
    expect(await finding('tun-device', { ...none, tunDevice: '/dev/null' })).toMatchObject({
      code: 'tun-ready',
    })
    const place = join(await folder(), 'tun')
    expect(await finding('tun-device', { ...none, tunDevice: place })).toMatchObject({
      status: 'missing',
      code: 'tun-absent',
    })
  },
)

it.runIf(process.platform === 'linux' && process.getuid?.() === 0)(
  'says where OpenVPN, which is no root, can not open the device that root can',
  async () => {
    const bin = await folder()
    const helper = join(bin, 'causeway-helper')
    await writeFile(helper, '#!/bin/sh\n', { mode: 0o755 })
    const tunDevice = join(bin, 'tun')
    await writeFile(tunDevice, '')
    // Root's own OpenVPN runs as root where the file asks for it.
    await chmod(tunDevice, 0o600)
    expect(await finding('tun-device', { helper, tunDevice })).toMatchObject({ code: 'tun-ready' })
    await chown(tunDevice, 65_533, 65_533)
    expect(await finding('tun-device', { helper, tunDevice })).toMatchObject({
      status: 'missing',
      code: 'tun-denied',
      command: `sudo chmod 0666 ${tunDevice}`,
    })
    expect(await finding('tun-device', { helper: '/nonexistent', tunDevice })).toMatchObject({
      code: 'tun-ready',
    })
  },
)

it.each(['linux', 'darwin'] as const)(
  'says on %s that the kill switch blocks everything now',
  async (platform) => {
    const isBlocked = () => Promise.resolve(true)
    expect(await finding('kill-switch', { platform, isBlocked })).toEqual({
      name: 'kill-switch',
      status: 'missing',
      code: 'kill-switch-blocks',
      command: 'causeway connect --release',
    })
  },
)

it('says that the helper cannot write resolv.conf, where that is the way to set DNS servers', async () => {
  const helper = join(await folder(), 'causeway-helper')
  const fixed = { path: '/etc/resolv.conf', command: 'sudo chattr -i /etc/resolv.conf' }
  const found = async (answer: string) => {
    await writeFile(helper, `#!/bin/sh\necho '${answer}'\n`, { mode: 0o755 })
    return finding('dns', { helper, fixedResolvConf: () => Promise.resolve(fixed) })
  }
  expect(await found('resolv.conf all')).toEqual({
    name: 'dns',
    status: 'missing',
    code: 'dns-immutable',
    facts: { path: fixed.path },
    command: fixed.command,
  })
  expect(await found('resolvectl')).toMatchObject({ status: 'ok' })
})

describe('a check', () => {
  const systems = ['linux', 'darwin', 'win32'] as const
  const here = (platform: (typeof systems)[number]): DoctorOptions => ({
    secretStore: memoryStore().store,
    openVpnPath: '/nonexistent',
    platform,
    env: {},
    proxies: () => Promise.resolve([]),
    randomText: () => 'a text',
    findPolicy: () => Promise.resolve({ policy: noPolicy, skipped: [], place: '/etc/causeway/policy.json' }),
    updates: () =>
      Promise.resolve({
        looks: 'off',
        available: undefined,
        isDismissed: false,
        checkedAt: undefined,
        problem: undefined,
      }),
    windowsHelper: (word) =>
      word === 'own-service' ? says(readyService) : ['/nonexistent/causeway-helper.exe'],
    ...quietComputer,
    // On macOS and Windows, the kill switch is said only then.
    isBlocked: () => Promise.resolve(platform !== 'linux'),
    clock: { ...systemClock, now: () => new Date('2030-01-01T00:00:00Z') },
    statfs: () => Promise.resolve({ bavail: 1e6, bsize: 4096, files: 0, ffree: 0 }),
  })
  const all = systems.flatMap((platform) =>
    [...checksFor(here(platform)).keys()].map((name) => [platform, name] as const),
  )

  it.each(all)('that fails on %s is one finding: %s', async (platform, name) => {
    const checks = checksFor(here(platform))
    const others = await diagnose(here(platform), checks)
    checks.set(name, () => Promise.reject(new Error('a secret')))
    const findings = await diagnose(here(platform), checks)
    expect(findings).toEqual(
      others.map((other) =>
        other.name === name
          ? {
              name,
              status: 'limited',
              code: 'check-failed',
              error: 'internal/unexpected',
              facts: { kind: 'Error' },
            }
          : other,
      ),
    )
  })

  it.each(all)('that never ends on %s is one finding: %s', async (platform, name) => {
    const checks = checksFor(here(platform))
    for (const other of checks.keys()) {
      const found = { name: other, status: 'ok', code: 'proxy-none' } as const
      checks.set(other, () => (other === name ? new Promise(() => undefined) : Promise.resolve(found)))
    }
    const waits: (() => void)[] = []
    const after: DoctorOptions['after'] = (_ms, work) => {
      waits.push(work)
      return () => undefined
    }
    const diagnosis = diagnose({ ...here(platform), after }, checks)
    for (const end of waits) end()
    const findings = await diagnosis
    expect(findings.filter(({ code }) => code === 'check-unanswered')).toEqual([
      { name, status: 'limited', code: 'check-unanswered', facts: { seconds: '20' } },
    ])
    expect(findings).toHaveLength(checks.size)
  })
})

it('writes a text to the key store, reads it back and deletes it', async () => {
  const { store, held } = memoryStore()
  const written: string[] = []
  const watched: SecretStore = {
    ...store,
    set: (account, secret) => {
      written.push(secret)
      return store.set(account, secret)
    },
  }
  expect(await finding('key-store', { secretStore: watched })).toMatchObject({ status: 'ok' })
  expect(written).toEqual(['a text'])
  expect(held()).toEqual({})
})

it('finds a key store usable for two that try it at once', async () => {
  const { store, held } = memoryStore()
  let other: FindingItem | undefined
  const secretStore: SecretStore = {
    ...store,
    set: async (account, secret) => {
      await store.set(account, secret)
      other = await finding('key-store', { secretStore: store, randomText: () => 'another text' })
    },
  }
  expect(await finding('key-store', { secretStore })).toMatchObject({ code: 'key-store-ready' })
  expect(other).toMatchObject({ code: 'key-store-ready' })
  expect(held()).toEqual({})
})

it('reports the error of a key store, with a remedy', async () => {
  const locked = () => Promise.reject(new CausewayError('secret-store/locked'))
  const secretStore: SecretStore = { get: locked, set: locked, delete: locked }
  expect(await finding('key-store', { secretStore })).toEqual({
    name: 'key-store',
    status: 'missing',
    code: 'key-store-unusable',
    error: 'secret-store/locked',
  })
})

it('rejects a key store that returns nothing', async () => {
  const secretStore: SecretStore = { ...memoryStore().store, get: () => Promise.resolve(undefined) }
  expect(await finding('key-store', { secretStore })).toMatchObject({ status: 'missing' })
})

it('tells what to do on Windows if the OpenVPN service is missing, stopped, or not for this user', async () => {
  const on = (service: { installed: boolean; running: boolean }, group: string, env = {}) => ({
    platform: 'win32' as const,
    env,
    windowsHelper: (word?: string) => {
      const account = { elevated: false, groups: [{ sid: 'S-1-5-21-1', name: group }] }
      return says(word === 'service' ? service : account)
    },
  })
  const running = { installed: true, running: true }
  expect(await finding('service', on({ installed: false, running: false }, 'Users'))).toMatchObject({
    status: 'limited',
    code: 'service-missing',
    page: 'openvpn-download',
  })
  expect(await finding('service', on({ installed: true, running: false }, 'Users'))).toMatchObject({
    status: 'limited',
    code: 'service-stopped',
    command: 'net start OpenVPNServiceInteractive',
  })
  const commandFor = async (env: Readonly<Record<string, string>>) =>
    (await finding('service', on(running, 'Users', env))).command?.split('\n')
  const create = 'net localgroup "OpenVPN Administrators" /add'
  expect(await commandFor({ USERDOMAIN: 'LAB-7', USERNAME: 'Jürgen Müller' })).toEqual([
    create,
    'net localgroup "OpenVPN Administrators" "LAB-7\\Jürgen Müller" /add',
  ])
  // An administrator is going to type it.
  for (const USERNAME of ['', 'x" /add & calc.exe & "', '%TEMP%', 'a\nb', '$(calc)'])
    expect(await commandFor({ USERDOMAIN: 'LAB-7', USERNAME })).toEqual([
      create,
      'net localgroup "OpenVPN Administrators" "DOMAIN\\user" /add',
    ])
  const member = on(running, 'OpenVPN Administrators')
  expect(await finding('service', member)).toMatchObject({ status: 'ok' })
  expect(await finding('rights', member)).toMatchObject({ status: 'ok' })
})

it.each<[Partial<typeof readyService>, Partial<FindingItem>]>([
  [{}, { status: 'ok', code: 'wireguard-service' }],
  [{ running: true, disabled: true }, { code: 'wireguard-service-off' }],
  [
    { mayStart: false },
    { code: 'wireguard-service-off', command: 'sc.exe config CausewayService start= demand' },
  ],
  [{ running: true, mayStart: false }, { code: 'wireguard-service' }],
  [{ installed: false }, { status: 'limited', code: 'wireguard-service-missing' }],
  [
    { program: false, library: false },
    { code: 'wireguard-service-incomplete', facts: { file: 'causeway-service.exe' } },
  ],
  [{ library: false }, { code: 'wireguard-service-incomplete', facts: { file: 'wintun.dll' } }],
])("tells of Causeway's service on Windows: %j", async (changes, expected) => {
  const windowsHelper = () => says({ ...readyService, ...changes })
  expect(await finding('wireguard', { platform: 'win32', windowsHelper })).toMatchObject(expected)
})

it('tells on Windows that the kill switch still blocks', async () => {
  const isBlocked = () => Promise.resolve(true)
  expect(await finding('kill-switch', { platform: 'win32', isBlocked })).toMatchObject({
    code: 'kill-switch-blocks',
  })
})

it('has a remedy on Windows if the helper is missing or may not run', async () => {
  const windowsHelper = () => ['/nonexistent/causeway-helper.exe'] as const
  expect(await finding('service', { platform: 'win32', windowsHelper })).toMatchObject({
    status: 'missing',
    code: 'service-without-helper',
  })
})

describe.runIf(process.platform === 'linux')('the session', () => {
  const ssh = { SSH_CONNECTION: '192.0.2.1 50000 192.0.2.2 22' }

  it('works with a display, where a desktop asks for what is needed', async () => {
    expect(await finding('session', { env: { WAYLAND_DISPLAY: 'wayland-0' } })).toMatchObject({
      status: 'ok',
      code: 'session-ready',
      facts: { display: 'wayland-0' },
    })
  })

  it('has no browser over ssh, and names the command to log in', async () => {
    expect(await finding('session', { env: ssh, helper: '/nonexistent' })).toMatchObject({
      status: 'limited',
      code: 'session-without-display',
      command: 'causeway login --no-browser',
    })
  })

  it.each(['pkexec', 'sudo'])('cannot connect where %s would have to ask', async (elevation) => {
    const session = { env: {}, helper: { helper: '/usr/libexec/helper', elevation } }
    expect(await sessionFinding({ ...session, mayStart: () => Promise.resolve(false) })).toMatchObject({
      status: 'limited',
      code: 'session-cannot-ask',
      command: 'sudo causeway helper allow --group NAME',
    })
    expect(await sessionFinding({ ...session, mayStart: () => Promise.resolve(true) })).toMatchObject({
      code: 'session-without-display',
    })
  })

  it('may start the helper as root, and not where polkit and sudo refuse', async () => {
    expect(await mayStartHelper({ helper: '/nonexistent', elevation: 'root' })).toBe(true)
    expect(await mayStartHelper({ helper: '/nonexistent', elevation: 'sudo' })).toBe(false)
  })
})

it.each([
  ['resolvectl', { status: 'ok', code: 'dns-ready', facts: { program: 'resolvectl' } }],
  ['NetworkManager all', { status: 'ok', code: 'dns-all-names', facts: { program: 'NetworkManager' } }],
  ['resolv.conf all', { status: 'ok', code: 'dns-all-names', facts: { program: '/etc/resolv.conf' } }],
  ['', { status: 'limited', code: 'dns-missing' }],
])('asks the helper how it sets DNS servers: %s', async (answer, expected) => {
  const helper = join(await folder(), 'causeway-helper')
  await writeFile(helper, `#!/bin/sh\n[ "$*" != dns ] || echo '${answer}'\n`)
  await chmod(helper, 0o755)
  expect(await finding('dns', { helper })).toMatchObject(expected)
})

it('checks the tun device and DNS on Linux only, and the helper and WireGuard also on macOS', async () => {
  const findings = await diagnose({
    secretStore: memoryStore().store,
    openVpnPath: '/nonexistent',
    platform: 'darwin',
    env: {},
    proxies: () => Promise.resolve([]),
    randomText: () => 'a text',
    findPolicy: () => Promise.resolve(undefined),
    ...quietComputer,
  })
  expect(findings.map(({ name }) => name)).toEqual([
    'openvpn',
    'rights',
    'helper',
    'wireguard',
    'disk',
    'clock',
    'key-store',
    'proxy',
  ])
})

it('reports a policy with what this version skips, or why it cannot be used', async () => {
  const place = '/etc/causeway/policy.json'
  const found = (skipped: readonly string[]) => ({
    findPolicy: () => Promise.resolve({ policy: noPolicy, skipped, place }),
  })
  expect(await finding('policy', found([]))).toMatchObject({ status: 'ok', code: 'policy-used' })
  expect(await finding('policy', found(['settings.new', 'banner']))).toMatchObject({
    status: 'limited',
    code: 'policy-skipped',
    facts: { path: place, names: 'settings.new, banner' },
  })
  const refused = (details: { path: string; reason: string; problem?: string }) => ({
    findPolicy: () => Promise.reject(new CausewayError('policy/unusable', { details })),
  })
  const invalid = { path: place, reason: 'invalid', problem: 'settings.killswitch is unknown' }
  expect(await finding('policy', refused(invalid))).toMatchObject({
    status: 'missing',
    code: 'policy-invalid',
    facts: { path: place, problem: invalid.problem },
  })
  expect(await finding('policy', refused({ path: place, reason: 'untrusted' }))).toMatchObject({
    status: 'missing',
    code: 'policy-unusable',
    facts: { path: place },
  })
  await expect(finding('policy')).rejects.toThrow('No finding about policy')
})

it.each([
  ['launchd', 'ok', 'helper-ready'],
  ['pkexec', 'ok', 'helper-ready'],
  ['sudo-askpass', 'limited', 'helper-asks-password'],
] as const)('reports that %s starts the helper', (elevation, status, code) => {
  const found = foundHelper({ helper: '/helper', elevation })
  expect(found).toMatchObject({ status, code, facts: { path: '/helper' } })
})

describe('the proxy', () => {
  const proxyFinding = (...proxies: Awaited<ReturnType<DoctorOptions['proxies']>>) =>
    finding('proxy', { proxies: () => Promise.resolve(proxies) })

  it('is named without user and password', async () => {
    const credentials = { user: 'user', password: 'secret' }
    const proxy = { protocol: 'http:', host: 'proxy.example.net', port: 3128, credentials } as const
    const found = await proxyFinding(proxy, { ...proxy, host: 'other.example.net' }, proxy)
    expect(found).toMatchObject({
      status: 'ok',
      code: 'proxy-used',
      facts: { proxy: 'proxy.example.net:3128, other.example.net:3128' },
    })
    expect(JSON.stringify(found)).not.toMatch(/user|secret/)
  })

  it('may be none, or one that cannot be used', async () => {
    expect(await proxyFinding()).toMatchObject({ status: 'ok', code: 'proxy-none' })
    expect(await proxyFinding({ problem: 'unsupported', source: 'ALL_PROXY' })).toMatchObject({
      status: 'missing',
      code: 'proxy-unusable',
      facts: { proxy: 'ALL_PROXY' },
    })
  })
})

describe('updates', () => {
  const status = {
    looks: 'on',
    available: undefined,
    isDismissed: false,
    checkedAt: undefined,
    problem: undefined,
  } as const
  const release = {
    version: '1.3.0',
    notes: new URL('https://example.org/1.3.0'),
    required: false,
    files: new Map(),
  }

  it.each([
    [{ looks: 'not-configured' }, 'ok', 'updates-not-configured'],
    [{ looks: 'off' }, 'ok', 'updates-off'],
    [{}, 'ok', 'updates-not-checked'],
    [{ checkedAt: new Date(0) }, 'ok', 'updates-current'],
    [{ checkedAt: new Date(0), available: release }, 'ok', 'updates-available'],
    [{ problem: new CausewayError('updates/invalid-signature') }, 'limited', 'updates-refused'],
  ] as const)('are described: %j', async (changes, expected, code) => {
    const found = await finding('updates', { updates: () => Promise.resolve({ ...status, ...changes }) })
    expect(found).toMatchObject({ status: expected, code })
  })

  it('name the error of a refused feed, and the version with its page', async () => {
    const problem = new CausewayError('updates/rolled-back')
    const updates = () => Promise.resolve({ ...status, problem })
    expect(await finding('updates', { updates })).toMatchObject({
      error: 'updates/rolled-back',
    })
    const broken = () =>
      Promise.reject(new CausewayError('policy/unusable', { details: { path: '/etc/causeway/policy.json' } }))
    expect(await finding('updates', { updates: broken })).toMatchObject({ error: 'policy/unusable' })
    expect(
      await finding('updates', { updates: () => Promise.resolve({ ...status, available: release }) }),
    ).toMatchObject({
      facts: { version: '1.3.0' },
    })
  })
})

describe('every finding that needs action', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/troubleshooting.md'), 'utf8')
  const rows = new Map(
    [...page.matchAll(/^\| `([a-z-]+)`\s+\| (.+?)\s*\|$/gm)].map(([, code = '', text = '']) => [code, text]),
  )

  it.each([...troubleCodes, ...errorFindingCodes])('is explained in the documents: %s', (code) => {
    expect(rows.get(code)).toMatch(/\w{3}.*\.$/)
  })

  it.each(findingNames)('comes from a check that the documents list: %s', (name) => {
    expect(page).toContain(`\`${name}\``)
  })

  it.each(troubleCodes)('has a remedy: %s', (code) => {
    expect(doctorTexts.todo[code]).toMatch(/\w{3}.*\.$/)
    expect(hasRemedy(code)).toBe(true)
  })
})

it.each([
  [undefined, { status: 'ok', code: 'apps-not-offered' }],
  ['for all profiles', { status: 'limited', code: 'apps-missing', command: 'causeway apps mode all' }],
  ['for a profile', { status: 'limited', code: 'apps-missing', command: 'causeway apps list' }],
] as const)('says what dividing apps lacks, divided %s', async (dividesApps, expected) => {
  const appsHere = () => Promise.resolve('no-nft' as const)
  expect(await finding('apps', { appsHere, dividesApps })).toEqual({
    name: 'apps',
    ...expected,
    facts: { missing: 'nftables >= 1.0' },
  })
})

it('says that later apps are not recognized without systemd', async () => {
  const appsHere = () => Promise.resolve('running-only' as const)
  expect(await finding('apps', { appsHere })).toEqual({
    name: 'apps',
    status: 'ok',
    code: 'apps-running-only',
  })
  expect(doctorTexts.what['apps-running-only']).toContain("later ones aren't recognized")
})
