import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Folders of system tools that a user's PATH often omits. */
const systemFolders = ['/usr/local/sbin', '/usr/sbin', '/sbin']

export function findProgram(name: string): string | undefined {
  const file = process.platform === 'win32' ? `${name}.exe` : name
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...systemFolders]
  return folders
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, file))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK)
        return true
      } catch {
        return false
      }
    })
}

const packages = {
  openvpn: 'openvpn',
  ip: 'iproute2',
  nft: 'nftables',
  wg: 'wireguard-tools',
  'wireguard-go': 'wireguard-go',
}

/** Returns the full path of a required program. The error names the package to install. */
export function requireProgram(name: keyof typeof packages): string {
  const path = findProgram(name)
  if (path !== undefined) return path
  throw new Error(`The program "${name}" is not installed. Install the package "${packages[name]}".`)
}
