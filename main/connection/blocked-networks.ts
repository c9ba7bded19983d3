import { join } from 'node:path'
import { z } from 'zod'

import { currentNetwork } from '../platform/network/current-network'
import { createJsonFile, type StoredOptions } from '../platform/storage/json-file'

/** The networks that seem to block UDP, in `blocked-networks.json`; each is forgotten after a day. */
export interface BlockedNetworks {
  /** Returns the network that this computer is on, as far as it's known. */
  current(): Promise<string | undefined>
  /** Never throws: without an answer, UDP is tried. */
  has(network: string | undefined): Promise<boolean>
  /** Throws `data/unreadable` and `data/unwritable`. */
  add(network: string | undefined): Promise<void>
}

/** Returns true if this computer has moved to another network, as far as both are known. */
export function isAnotherNetwork(then: string | undefined, now: string | undefined): boolean {
  return then !== undefined && now !== undefined && then !== now
}

const memoryMs = 24 * 60 * 60_000
const maxNetworks = 50

const stored = z.object({ networks: z.array(z.object({ network: z.string(), at: z.number() })) })

export function createBlockedNetworks({
  dataDirectory,
  now,
  reporter,
  current = currentNetwork,
}: StoredOptions & {
  readonly current?: () => Promise<string | undefined>
}): BlockedNetworks {
  const file = createJsonFile({
    path: join(dataDirectory, 'blocked-networks.json'),
    schema: stored,
    version: 1,
    empty: { networks: [] },
    now,
    reporter,
  })
  // A time in the future is that of a clock that was wrong.
  const isFresh = ({ at }: { readonly at: number }): boolean =>
    at <= now().getTime() && now().getTime() - at < memoryMs
  return {
    current: () => current(),
    has: async (network) => {
      if (network === undefined) return false
      try {
        return (await file.read()).networks.some((each) => each.network === network && isFresh(each))
      } catch {
        return false
      }
    },
    add: async (network) => {
      if (network === undefined) return
      await file.update(({ networks }) => ({
        networks: [
          { network, at: now().getTime() },
          ...networks.filter((each) => each.network !== network && isFresh(each)),
        ].slice(0, maxNetworks),
      }))
    },
  }
}
