import { readFile } from 'node:fs/promises'

import { isElevated } from './windows-rights'

/** Bit 12 of a capability set is CAP_NET_ADMIN (linux/capability.h). */
const capNetAdmin = 1n << 12n

/**
 * Returns true if an OpenVPN started by this process could set up a network device and routes. On Linux it needs an
 * inheritable CAP_NET_ADMIN: root's own, or an ambient one. On Windows this process must run as an administrator.
 */
export async function canConfigureNetwork(
  platform = process.platform,
  statusFile = '/proc/self/status',
): Promise<boolean> {
  if (platform === 'win32') return isElevated()
  const isRoot = process.geteuid?.() === 0
  return platform === 'linux' ? mayPassOnNetAdmin(await readFile(statusFile, 'utf8'), isRoot) : isRoot
}

/** @param status the text of `/proc/self/status` */
export function mayPassOnNetAdmin(status: string, isRoot: boolean): boolean {
  // A program started by root inherits root's effective set; any other inherits the ambient set only.
  const set = isRoot ? 'CapEff' : 'CapAmb'
  const hex = new RegExp(`^${set}:\\s*([0-9a-f]+)$`, 'm').exec(status)?.[1]
  return hex !== undefined && (BigInt(`0x${hex}`) & capNetAdmin) !== 0n
}
