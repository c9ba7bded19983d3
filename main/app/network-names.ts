import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { rangesOf } from '../platform/routes/address-range'
import { mayBeNameServer } from '../tunnel/name-servers'

/**
 * Returns the DNS servers that programs of this computer ask, at most one of each family, while no tunnel sets others; none if
 * they ask a resolver of this computer, which asks for all of them at the tunnel's servers. Never throws.
 *
 * @param root where the files of the system are
 */
export async function networkNameServers(root = '/'): Promise<readonly string[]> {
  const text = await readFile(join(root, 'etc/resolv.conf'), 'utf8').catch(() => '')
  const servers = [...text.matchAll(/^nameserver[ \t]+(\S+)/gm)]
    .map(([, server = '']) => server)
    .filter((server) => isIP(server) !== 0)
  const isUsable = (server: string): boolean =>
    !server.includes('%') && rangesOf([server]).every((address) => mayBeNameServer(address))
  if (!servers.every(isUsable)) return []
  return [4, 6].flatMap((family) => servers.find((server) => isIP(server) === family) ?? [])
}
