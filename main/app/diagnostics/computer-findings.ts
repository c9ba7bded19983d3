import { existsSync, readdirSync, readFileSync, type StatsFs, statSync } from 'node:fs'
import { lstat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { FindingItem } from '../../../contract/doctor'
import { resultWithin } from '../../platform/child-process/result-within'
import { mountOptions } from '../../platform/storage/mount-options'

/** Less than this doesn't take the log and a new login, in bytes. */
const leastFree = 5 * 1024 * 1024

/** Returns whether there is room for what Causeway stores. */
export async function diskFinding(
  dataDirectory: string,
  stat: (path: string) => Promise<Pick<StatsFs, 'bavail' | 'bsize' | 'files' | 'ffree'>> = statfs,
): Promise<FindingItem> {
  const name = 'disk'
  const { bavail, bsize, files, ffree } = await stat(existingPart(dataDirectory))
  const facts = { path: dataDirectory, free: `${String(Math.floor((bavail * bsize) / 1024 / 1024))} MB` }
  // Some file systems don't count files.
  const isFull = bavail * bsize < leastFree || (files > 0 && ffree === 0)
  return isFull
    ? { name, status: 'missing', code: 'disk-full', facts }
    : { name, status: 'ok', code: 'disk-ready', facts }
}

/** Returns the folder itself, or the one in which it will be created. */
function existingPart(path: string): string {
  const parent = dirname(path)
  return existsSync(path) || parent === path ? path : existingPart(parent)
}

interface Clock {
  readonly now: () => Date
  readonly platform: NodeJS.Platform
  /** When this program was built. */
  readonly builtAt: Date
  /** Returns the answer of systemd; undefined without it. */
  readonly timedatectl: () => Promise<string | undefined>
}

export const systemClock: Clock = {
  now: () => new Date(),
  platform: process.platform,
  builtAt: statSync(import.meta.filename, { throwIfNoEntry: false })?.mtime ?? new Date(0),
  timedatectl: async () => {
    const { execa } = await import('execa')
    const words = ['show', '--property=NTP', '--property=NTPSynchronized']
    const output = execa('timedatectl', words, { reject: false, env: { LC_ALL: 'C' } })
    const answer = await resultWithin(5000, output)
    return answer?.failed === false ? answer.stdout : undefined
  },
}

/** Returns whether the clock can be right, as far as shows without a request. */
export async function clockFinding({ now, platform, builtAt, timedatectl }: Clock): Promise<FindingItem> {
  const name = 'clock'
  const command = platform === 'linux' ? 'sudo timedatectl set-ntp true' : undefined
  const facts = { time: now().toISOString() }
  if (now() < builtAt) return { name, status: 'missing', code: 'clock-wrong', facts, command }
  const answer = platform === 'linux' ? await timedatectl() : undefined
  // A computer that another program sets, such as its host, has both turned off.
  return answer?.includes('NTPSynchronized=no') === true && answer.includes('NTP=no')
    ? { name, status: 'limited', code: 'clock-not-synchronized', facts, command }
    : { name, status: 'ok', code: 'clock-plausible', facts }
}

/** The names of devices, and what they belong to. */
const programs: readonly (readonly [RegExp, string])[] = [
  [/^tailscale/, 'Tailscale'],
  [/mullvad/, 'Mullvad VPN'],
  [/^nord(lynx|tun)/, 'NordVPN'],
  [/^(proton|pvpn)/, 'Proton VPN'],
  [/^CloudflareWARP$/, 'Cloudflare WARP'],
  [/^zt[0-9a-z]{8}$/, 'ZeroTier'],
  [/^nebula/, 'Nebula'],
  [/^wt\d+$/, 'NetBird'],
  [/^cscotun/, 'Cisco Secure Client'],
  [/^gpd\d+$/, 'GlobalProtect'],
  [/^fctvpn/, 'FortiClient'],
  [/^(ipsec|xfrm)/, 'IPsec'],
  [/^ppp\d+$/, 'PPP'],
]

/** The helper's devices (helper/journal.go). */
const ownDevice = /^cw\d{1,8}t$/

/**
 * Names the devices of other VPNs that are up on Linux, and what they belong to: two that carry all traffic take it from each
 * other. `own` are devices of Causeway that it didn't name itself.
 */
export function otherVpnFinding(own: readonly string[] = [], root = '/'): FindingItem {
  const name = 'other-vpn'
  const others = vpnDevices((device) => ownDevice.test(device) || own.includes(device), root)
  return others.length === 0
    ? { name, status: 'ok', code: 'other-vpn-none' }
    : { name, status: 'limited', code: 'other-vpn', facts: { devices: others.slice(0, 10).join(', ') } }
}

/** Returns the devices of VPNs that are up on Linux, and what they belong to, without some. Another user's Causeway has some, too. */
export function vpnDevices(isLeftOut: (device: string) => boolean = () => false, root = '/'): string[] {
  const folder = join(root, 'sys/class/net')
  // Some containers have no /sys.
  const devices = existsSync(folder) ? readdirSync(folder) : []
  return devices
    .filter((device) => !isLeftOut(device) && isUp(join(folder, device)))
    .flatMap((device) => {
      const kind = programs.find(([pattern]) => pattern.test(device))?.[1] ?? kindOf(join(folder, device))
      return kind === undefined ? [] : [`${device} (${kind})`]
    })
}

/** Returns the kind of a device that no program's name is known of; undefined if it's no tunnel of a VPN. */
function kindOf(folder: string): string | undefined {
  if (textOf(join(folder, 'uevent')).includes('DEVTYPE=wireguard')) return 'WireGuard'
  // Those of virtual machines are ports of a bridge, and carry Ethernet frames.
  const flags = Number(textOf(join(folder, 'tun_flags')))
  return (flags & 3) === 1 ? 'TUN' : undefined
}

function isUp(folder: string): boolean {
  return (Number(textOf(join(folder, 'flags'))) & 1) === 1
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return ''
  }
}

/**
 * Returns the command that lets the helper write /etc/resolv.conf again: `chattr` for an immutable file, none for one on a disk that is
 * mounted read-only; undefined if nothing shows that it can't.
 */
export async function fixedResolvConf(
  root = '/',
): Promise<{ readonly path: string; readonly command?: string } | undefined> {
  const path = '/etc/resolv.conf'
  const options = mountOptions(path, root) ?? mountOptions('/etc', root) ?? mountOptions('/', root) ?? []
  if (options.includes('ro')) return { path }
  const info = await lstat(join(root, path)).catch(() => undefined)
  // A link is replaced, and its target stays.
  if (info?.isFile() !== true) return undefined
  const { execa } = await import('execa')
  const output = execa('lsattr', ['-d', join(root, path)], { reject: false, env: { LC_ALL: 'C' } })
  const answer = await resultWithin(5000, output)
  const isImmutable = answer?.failed === false && /^\S*i\S* /.test(answer.stdout)
  return isImmutable ? { path, command: `sudo chattr -i ${path}` } : undefined
}
