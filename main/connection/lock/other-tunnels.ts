import { access, constants, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname, join, sep } from 'node:path'
import { unixSockets } from '../../platform/network/unix-sockets'
import { whileAnswering } from '../../platform/storage/while-answering'
import { reasonOf } from '../../platform/storage/file-system-error'
import { askHolder, type TunnelUse } from './holder-client'

/** The data directory of the system's units, which may have more below it (docs/terminal.md). */
const ofSystem = '/var/lib/causeway'

/** A process of another data directory that has a tunnel, or is about to. */
export interface OtherTunnel {
  readonly dataDir: string
  /** `hidden`: only an administrator can ask it. */
  readonly use: Exclude<TunnelUse, { use: 'free' }> | { readonly use: 'hidden' }
}

/** The time for a disk or a process to answer. */
const diskWithinMs = 2000
const holderWithinMs = 1000

/**
 * Returns the tunnels of this user, and those of the system's units, whose processes have another data directory. The kernel knows
 * where processes listen, so that nothing is kept anywhere, and nothing is found whose process is gone. Processes with another home
 * folder are a container's or a sandbox's, which are no concern of this one. Empty on Windows, which lists no paths.
 */
export async function otherTunnels(
  dataDir: string,
  { home = homedir(), system = ofSystem }: { readonly home?: string; readonly system?: string } = {},
): Promise<OtherTunnel[]> {
  const others = (await unixSockets())
    .filter((path) => basename(path) === 'tunnel.sock' && dirname(path) !== dataDir)
    .map((path) => otherTunnel(dirname(path), home, system))
  return (await Promise.all(others)).filter((each) => each !== undefined)
}

async function otherTunnel(dataDir: string, home: string, system: string): Promise<OtherTunnel | undefined> {
  const isOfSystem = isWithin(dataDir, system)
  const isOwn = isOfSystem || isWithin(dataDir, home)
  const path = join(dataDir, 'tunnel.sock')
  // This thread would wait for a disk that doesn't answer, to connect to a socket on it.
  const isAnswered = await whileAnswering(path, () => stat(dataDir).catch(() => undefined), {
    limitMs: diskWithinMs,
  }).then(
    () => true,
    () => false,
  )
  if (!isAnswered) return isOwn ? { dataDir, use: { use: 'silent' } } : undefined
  const refusal = await access(path, constants.W_OK).then(() => undefined, reasonOf)
  if (refusal !== undefined)
    return isOfSystem && refusal === 'EACCES' ? { dataDir, use: { use: 'hidden' } } : undefined
  // Root may ask anybody's. One that has just ended is nobody's.
  const owner = await stat(path).then(({ uid }) => uid, reasonOf)
  if (owner !== process.getuid?.()) return undefined
  const use = await askHolder({ path }, holderWithinMs)
  if (use.use === 'free') return undefined
  return isOwn || (use.use === 'held' && use.holder.home === home) ? { dataDir, use } : undefined
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder + sep)
}
