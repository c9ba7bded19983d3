import { isIP } from 'node:net'
import { z } from 'zod'
import { int, orNull } from '../../schemas'
import { Serial } from '../tunnel/tunnel-switch'
import { switchDefinitions, Switches } from '../../state/switches'
import type { BehindNetwork } from './behind'

const name = z.string().regex(/^(?=.{1,253}$)[!-~]+$/, 'must be a name without spaces')
const queriedName = (given: string) => given.toLowerCase().replace(/(?<=.)\.$/, '')
const address = z.string().refine((text) => isIP(text) !== 0 && !text.includes('%'), 'must be an IP address')

export const networkSwitches = switchDefinitions({
  mtu: orNull(int(576, 9000), 'Larger packets vanish in both directions; null for the MTU of the tunnel.'),
  records: z
    .record(name, z.union([z.array(address).max(20), z.enum(['server-failure', 'no-answer'])]))
    .refine((records) => Object.keys(records).length <= 1000, 'must have at most 1000 names')
    .refine(
      (records) => new Set(Object.keys(records).map(queriedName)).size === Object.keys(records).length,
      'must have each name once, whatever its case',
    )
    .describe(
      'What DNS answers for a name: these addresses, none for a name that does not exist, or a failure. All other names ' +
        'have the addresses of the network itself, except those below invalid.',
    )
    .default({}),
})

export class BehindNetworks {
  readonly switches = new Switches(networkSwitches)
  readonly #running: () => readonly (BehindNetwork | undefined)[]
  /** `changes.settled` tells when the networks have followed. */
  readonly changes = new Serial()

  constructor(running: () => readonly (BehindNetwork | undefined)[]) {
    this.#running = running
  }

  get running(): BehindNetwork[] {
    return this.#running().filter((network) => network !== undefined)
  }

  /** Changes settings. Rejects with the reason if a network can't apply them. */
  async set(change: Parameters<typeof this.switches.set>[0]): Promise<void> {
    this.switches.set(change)
    this.#apply()
    await this.changes.settled()
  }

  /** Goes back to the normal settings. */
  revert(): void {
    const { mtu, records } = this.switches.values
    if (mtu === null && Object.keys(records).length === 0) return
    this.switches.revert()
    this.#apply()
  }

  #apply(): void {
    const { mtu, records: given } = this.switches.values
    const records = Object.fromEntries(Object.entries(given).map(([key, value]) => [queriedName(key), value]))
    void this.changes.run(() =>
      Promise.all(this.running.flatMap((network) => [network.setMtu(mtu), network.setRecords(records)])),
    )
  }
}
