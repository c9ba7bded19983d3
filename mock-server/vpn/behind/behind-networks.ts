import { isIP } from 'node:net'
import { z } from 'zod'
import { Serial } from '../tunnel/tunnel-switch'
import { switchDefinitions, Switches } from '../../state/switches'
import type { BehindNetwork } from './behind'
import { Refusal } from '../../http/refusal'
import { call } from '../../control/control-calls'

const name = z.string().regex(/^(?=.{1,253}$)[!-~]+$/, 'must be a name without spaces')
const queriedName = (given: string) => given.toLowerCase().replace(/(?<=.)\.$/, '')
const address = z.string().refine((text) => isIP(text) !== 0 && !text.includes('%'), 'must be an IP address')

const networkSwitches = switchDefinitions({
  mtu: z
    .int()
    .min(576)
    .max(9000)
    .nullable()
    .describe('Larger packets vanish in both directions; null for the MTU of the tunnel.')
    .default(null),
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
  readonly #changes = new Serial()

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
    await this.settled()
  }

  /** Goes back to the normal settings; `settled` tells when. */
  revert(): void {
    const { mtu, records } = this.switches.values
    if (mtu === null && Object.keys(records).length === 0) return
    this.switches.revert()
    this.#apply()
  }

  settled(): Promise<void> {
    return this.#changes.settled()
  }

  #apply(): void {
    const { mtu, records: given } = this.switches.values
    const records = Object.fromEntries(Object.entries(given).map(([key, value]) => [queriedName(key), value]))
    void this.#changes.run(() =>
      Promise.all(this.running.flatMap((network) => [network.setMtu(mtu), network.setRecords(records)])),
    )
  }
}

const answer = z
  .object({
    ...networkSwitches.schema.shape,
    networks: z.array(
      z.object({
        addresses: z
          .array(z.string())
          .describe('They answer pings, DNS, HTTP at port 80 and a sink at port 9'),
        page: z.string().describe('The page "your address"'),
        mtu: z.int().nullable(),
        showsPackets: z.boolean().describe('False without nftables: then packets are not in the journal'),
      }),
    ),
  })
  .describe('The settings, and the networks of the OpenVPN servers and of the WireGuard server.')

const stateOf = (networks: BehindNetworks): z.input<typeof answer> => ({
  ...networks.switches.values,
  networks: networks.running.map(({ status }) => ({ ...status, addresses: [...status.addresses] })),
})

export const networkCalls = {
  'GET /network': call({
    summary: 'Describes the network behind the tunnel',
    description:
      'What it saw is in the journal: DNS queries, requests of its page, uses of its sink, and packets (ICMP, TCP, UDP) from the tunnel.',
    answer,
    run: ({ world }) => stateOf(world.vpn.networks),
  }),
  'PUT /network': call({
    summary: 'Sets the MTU and the DNS records of the network behind the tunnel',
    description: 'Omitted settings keep their values. Applies until the next scenario.',
    body: networkSwitches.change,
    answer,
    refusals: { 409: 'No full tunnel is running, or the system refuses the change.' },
    run: async ({ body, world }) => {
      const { networks } = world.vpn
      if (networks.running.length === 0) {
        throw new Refusal(
          409,
          'No tunnel is running that carries packets: it needs --tunnel, and root on Linux.',
        )
      }
      if (typeof body.mtu === 'number' && networks.running.some(({ status }) => !status.showsPackets)) {
        throw new Refusal(409, 'An MTU needs the program nft, of the package nftables.')
      }
      await networks.set(body)
      return stateOf(networks)
    },
  }),
}
