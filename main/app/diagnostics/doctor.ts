import { open, stat } from 'node:fs/promises'
import { release } from 'node:os'
import { dnsWays } from '../../../contract/choices'
import type { FindingItem } from '../../../contract/doctor'
import { isInPath } from '../../platform/child-process/is-program'
import { findHelper, installedHelper } from '../../privilege/find-helper'
import { answersDropped } from '../../privilege/mark-filter'
import { ownWireGuard, wireGuardHere } from '../../privilege/wireguard-here'
import { canConfigureNetwork } from '../../privilege/network-rights'
import { readServiceState } from '../../tunnel/openvpn/windows-service'
import { clockFinding, diskFinding, fixedResolvConf, otherVpnFinding, systemClock } from './computer-findings'
import { errorFinding } from './error-finding'
import type { DoctorOptions } from './doctor-options'
import { helperFinding } from './helper-finding'
import { appsHere } from '../apps-here'
import { ownServiceFinding } from './own-service-finding'
import { policyFinding } from './policy-finding'
import { installCommand, openVpnFinding, serviceFinding } from './openvpn-findings'
import { mayStartHelper, sessionFinding } from './session'
import { after } from '../../timer'
import type { UpdateStatus } from '../../updates/updates'
import { proxyName } from '../../platform/http/proxies'

type FindingName = FindingItem['name']

/** The checks that this computer needs, by what they are about. */
export function checksFor(options: DoctorOptions): Map<FindingName, () => Promise<FindingItem | undefined>> {
  const { platform, updates } = options
  const onLinux = platform === 'linux'
  const onWindows = platform === 'win32'
  const hasHelper = onLinux || platform === 'darwin'
  const all: readonly [FindingName, boolean, () => Promise<FindingItem | undefined>][] = [
    ['policy', true, () => policyFinding(options.findPolicy)],
    ['openvpn', true, () => openVpnFinding(options)],
    ['rights', true, () => rights(options)],
    ['helper', hasHelper, () => helperFinding(options)],
    ['tun-device', onLinux, () => tunDevice(options)],
    ['wireguard', hasHelper, () => wireGuard(options)],
    ['wireguard', onWindows, () => ownServiceFinding(options)],
    ['dns', onLinux, () => dns(options)],
    ['kill-switch', hasHelper || onWindows, () => killSwitch(options)],
    ['session', onLinux, () => session(options)],
    ['service', onWindows, () => serviceFinding(options)],
    ['other-vpn', onLinux, async () => otherVpnFinding(await options.ownDevices())],
    ['apps', onLinux, () => appsFinding(options)],
    ['disk', true, () => diskFinding(options.dataDirectory, options.statfs)],
    ['clock', true, () => clockFinding({ ...(options.clock ?? systemClock), platform })],
    ['key-store', true, () => keyStore(options)],
    ['proxy', true, () => proxyFinding(options)],
    ['updates', updates !== undefined, async () => updates && updatesFinding(await updates())],
  ]
  return new Map(all.flatMap(([name, applies, check]) => (applies ? [[name, check]] : [])))
}

/** How long a check may take, such as of a key store that waits for its password, in milliseconds. */
const longestCheck = 20_000

/** Checks everything that Causeway needs on this computer. Never throws: a failed check is a finding. */
export async function diagnose(options: DoctorOptions, checks = checksFor(options)): Promise<FindingItem[]> {
  const findings = await Promise.all([...checks].map(([name, check]) => bounded(name, check, options.after)))
  const found = findings.filter((finding) => finding !== undefined)
  // Whether updates are on depends on the policy, which is reported once.
  const isPolicyUsable = found.every(({ name, status }) => name !== 'policy' || status !== 'missing')
  return found.filter(({ name }) => name !== 'updates' || isPolicyUsable)
}

/** Runs one check, whose failure or silence must not take the findings of the others with it. */
async function bounded(
  name: FindingName,
  check: () => Promise<FindingItem | undefined>,
  timer = after,
): Promise<FindingItem | undefined> {
  let stop = (): void => undefined
  const unanswered = new Promise<FindingItem>((resolve) => {
    stop = timer(longestCheck, () => {
      const facts = { seconds: String(longestCheck / 1000) }
      resolve({ name, status: 'limited', code: 'check-unanswered', facts })
    })
  })
  try {
    return await Promise.race([check(), unanswered])
  } catch (error) {
    return errorFinding({ name, status: 'limited', code: 'check-failed' }, error)
  } finally {
    stop()
  }
}

async function rights({ platform, helper, windowsHelper }: DoctorOptions): Promise<FindingItem> {
  const name = 'rights'
  if (platform === 'win32' && (await readServiceState(windowsHelper))?.running === true)
    return { name, status: 'ok', code: 'rights-of-service' }
  if ((await findHelper(helper)) !== undefined) return { name, status: 'ok', code: 'rights-of-helper' }
  if (await canConfigureNetwork()) return { name, status: 'ok', code: 'rights-of-process' }
  const hasHelper = platform === 'linux' || platform === 'darwin'
  return hasHelper
    ? { name, status: 'limited', code: 'rights-need-helper', remedyOf: 'helper' }
    : { name, status: 'limited', code: 'rights-need-service', remedyOf: 'service' }
}

async function session({ env, helper, mayStart = mayStartHelper }: DoctorOptions): Promise<FindingItem> {
  return sessionFinding({ env, helper: await findHelper(helper), mayStart })
}

/** What is missing, in terms that are the same in every language. */
const missingForApps = {
  'no-cgroups': 'cgroup v2',
  'no-nft': 'nftables >= 1.0',
  'no-manager': 'systemd --user',
} as const

async function appsFinding({
  dividesApps,
  appsHere: ask = appsHere,
}: DoctorOptions): Promise<FindingItem | undefined> {
  const name = 'apps'
  const here = await ask()
  // Another finding's.
  if (here === 'no-helper' || here === 'not-on-this-system') return undefined
  if (here === 'available') return { name, status: 'ok', code: 'apps-ready' }
  if (here === 'running-only') return { name, status: 'ok', code: 'apps-running-only' }
  const facts = { missing: missingForApps[here] }
  if (dividesApps === undefined) return { name, status: 'ok', code: 'apps-not-offered', facts }
  // IDs of profiles are the service's, and no words of a command to type.
  const command = dividesApps === 'for a profile' ? 'causeway apps list' : 'causeway apps mode all'
  return { name, status: 'limited', code: 'apps-missing', facts, command }
}

async function killSwitch({ env, platform, isBlocked }: DoctorOptions): Promise<FindingItem | undefined> {
  const name = 'kill-switch'
  if (await isBlocked())
    return { name, status: 'missing', code: 'kill-switch-blocks', command: 'causeway connect --release' }
  if (platform !== 'linux') return undefined
  if (await isInPath('nft', env)) return { name, status: 'ok', code: 'nft-found' }
  return { name, status: 'limited', code: 'nft-missing', command: await installCommand('nftables', env) }
}

async function wireGuard({
  platform,
  helper = installedHelper,
  env,
  answersDropped: findReason = answersDropped,
}: DoctorOptions): Promise<FindingItem> {
  const name = 'wireguard'
  if ((await findHelper(helper)) === undefined)
    return { name, status: 'limited', code: 'wireguard-needs-helper', remedyOf: 'helper' }
  const here = wireGuardHere({ platform, helper })
  const reason = here === 'none' ? undefined : await findReason()
  if (reason !== undefined) {
    const command =
      reason === 'no-nft'
        ? await installCommand('nftables', env)
        : 'sudo sysctl -w net.ipv4.conf.all.src_valid_mark=1'
    return { name, status: 'limited', code: 'wireguard-filtered', command }
  }
  switch (here) {
    case 'kernel':
      return { name, status: 'ok', code: 'wireguard-kernel', facts: { version: `Linux ${release()}` } }
    case 'userspace': {
      const { execa } = await import('execa')
      const output = await execa(ownWireGuard(helper), ['version'], { reject: false, timeout: 5000 })
      // Of another processor, say, or not allowed to run here.
      if (output.failed) return { name, status: 'limited', code: 'wireguard-missing' }
      const version = /^causeway-wireguard (\S{1,80})$/m.exec(output.stdout)?.[1] ?? '?'
      if (platform !== 'linux') return { name, status: 'ok', code: 'wireguard-own', facts: { version } }
      const offloads = /^offloads ([A-Z ,]{1,80})$/m.exec(output.stdout)?.[1]
      return offloads === undefined
        ? { name, status: 'ok', code: 'wireguard-slow', facts: { version } }
        : { name, status: 'ok', code: 'wireguard-built-in', facts: { version, offloads } }
    }
    case 'none':
      return { name, status: 'limited', code: 'wireguard-missing' }
  }
}

/** OpenVPN opens the device as this user, also if the helper starts it. */
async function tunDevice({ helper, tunDevice: path = '/dev/net/tun' }: DoctorOptions): Promise<FindingItem> {
  const name = 'tun-device'
  const status = 'missing'
  const facts = { path }
  const denied = { name, status, code: 'tun-denied', facts, command: `sudo chmod 0666 ${path}` } as const
  try {
    // A container may have the device, and refuse to open it. Opening it creates no interface.
    await (await open(path, 'r+')).close()
    const { mode, uid } = await stat(path)
    // The helper's OpenVPN has none of this user's further groups.
    const isForAll = (mode & 0o006) === 0o006 || uid === process.geteuid?.()
    if (!isForAll && (await findHelper(helper)) !== undefined) return denied
    return { name, status: 'ok', code: 'tun-ready', facts }
  } catch (error) {
    const isDenied = ['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')
    if (!isDenied) return { name, status, code: 'tun-absent', facts, command: 'sudo modprobe tun' }
    const mayOpen = ((await stat(path)).mode & 0o006) === 0o006 || process.geteuid?.() === 0
    return mayOpen ? { name, status, code: 'tun-refused', facts } : denied
  }
}

async function keyStore({ secretStore, randomText }: DoctorOptions): Promise<FindingItem> {
  const name = 'key-store'
  try {
    const text = randomText()
    // Of this run alone: another one may delete its own meanwhile.
    const account = `doctor:${text.slice(0, 8)}`
    await secretStore.set(account, text)
    let read: string | undefined
    try {
      read = await secretStore.get(account)
    } finally {
      await secretStore.delete(account)
    }
    return read === text
      ? { name, status: 'ok', code: 'key-store-ready' }
      : { name, status: 'missing', code: 'key-store-differs' }
  } catch (error) {
    return errorFinding({ name, status: 'missing', code: 'key-store-unusable' }, error)
  }
}

async function proxyFinding({ proxies }: DoctorOptions): Promise<FindingItem> {
  const name = 'proxy'
  const all = await proxies()
  const unusable = all.find((each) => 'problem' in each)
  if (unusable !== undefined)
    return { name, status: 'missing', code: 'proxy-unusable', facts: { proxy: unusable.source } }
  const names = [...new Set(all.map((each) => ('problem' in each ? '' : proxyName(each))))]
  return names.length === 0
    ? { name, status: 'ok', code: 'proxy-none' }
    : { name, status: 'ok', code: 'proxy-used', facts: { proxy: names.join(', ') } }
}

/** Asks the helper how it would set DNS servers: a program may be installed without anybody using it. */
async function dns({
  helper,
  fixedResolvConf: isFixed = fixedResolvConf,
}: DoctorOptions): Promise<FindingItem> {
  const name = 'dns'
  const found = await findHelper(helper)
  const { execa } = await import('execa')
  const output = found && (await execa(found.helper, ['dns'], { reject: false, timeout: 5000 }))
  const [word, names] = output?.stdout.split(' ') ?? []
  const way = dnsWays.find((each) => each === word)
  if (way === undefined) return { name, status: 'limited', code: 'dns-missing', remedyOf: 'helper' }
  if (way === 'resolv.conf') {
    const fixed = await isFixed()
    if (fixed !== undefined) {
      const { path, command } = fixed
      return { name, status: 'missing', code: 'dns-immutable', facts: { path }, command }
    }
  }
  const facts = { program: way === 'resolv.conf' ? '/etc/resolv.conf' : way }
  return { name, status: 'ok', code: names === 'all' ? 'dns-all-names' : 'dns-ready', facts }
}

function updatesFinding({ looks, available, checkedAt, problem }: UpdateStatus): FindingItem {
  const name = 'updates'
  const status = 'ok'
  if (looks === 'not-configured') return { name, status, code: 'updates-not-configured' }
  if (looks === 'off') return { name, status, code: 'updates-off' }
  if (problem !== undefined)
    return errorFinding({ name, status: 'limited', code: 'updates-refused' }, problem)
  if (available !== undefined)
    return { name, status, code: 'updates-available', facts: { version: available.version } }
  return { name, status, code: checkedAt === undefined ? 'updates-not-checked' : 'updates-current' }
}
