import { z } from 'zod'
import { call } from '../../control/control-calls'
import { Refusal } from '../../http/refusal'
import { type BehindNetworks, networkSwitches } from './behind-networks'

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
