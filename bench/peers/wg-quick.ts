import { writeFile } from 'node:fs/promises'
import type { Setting } from '../wireguard-process'
import { type Peer, ProcessGroup } from './peer'

/** `wg-quick up`, for all traffic. */
export async function wgQuick({ program, wireGuard }: Setting): Promise<Peer> {
  const file = '/run/cwquick.conf'
  const text = wireGuard.text.replace('[Interface]\n', `[Interface]\nPrivateKey = ${wireGuard.privateKey}\n`)
  await writeFile(file, `${text}PersistentKeepalive = 25\n`, { mode: 0o600 })
  const group = await ProcessGroup.make('wg-quick')
  const env = { ...process.env, ...(program !== null && { WG_QUICK_USERSPACE_IMPLEMENTATION: program }) }
  return {
    name: 'wg-quick',
    protocol: 'wireguard',
    group,
    connect: async () => {
      await group.run('wg-quick', ['up', file], { env })
    },
    disconnect: async () => {
      await group.run('wg-quick', ['down', file], { env })
    },
    end: () => group.remove(),
  }
}
