import { z } from 'zod'
import type { BehindNetwork, BehindStatus } from '../behind/behind'

const proxyFaults = [
  'answers-200',
  'answers-401',
  'answers-502',
  'answers-503',
  'closes',
  'impatient',
  'stalls',
] as const
export type ProxyFault = (typeof proxyFaults)[number]

export type ProxyIdentity = Record<'cert' | 'key', string>

/** A message to the process of the ProxyGuard server: where to listen and with what, or what to do wrong. */
export type ProxyOrder =
  | { port: number; wireguardPort: number; identity: ProxyIdentity }
  | { fault: ProxyFault | null }

export const wireguardFaults = z.strictObject({
  /** Packets that vanish: all, those over UDP, or those over UDP that are larger than an MTU of 1280 makes them. */
  drops: z.enum(['all', 'udp', 'large']).exactOptional(),
  proxy: z.enum([...proxyFaults, 'wrong-certificate']).exactOptional(),
  /** The server has another address, and nothing reaches the previous one over UDP. */
  isMoved: z.literal(true).exactOptional(),
  /** Clients get addresses from another network. */
  hasOtherPlan: z.literal(true).exactOptional(),
})
export type WireguardFaults = z.infer<typeof wireguardFaults>

export const wireguardPeerSchema = z.object({
  publicKey: z.string(),
  allowedIps: z.array(z.string()),
  endpoint: z.string().nullable().describe('The address that the last packet came from'),
  handshakeAgeSeconds: z.int().nullable().describe('null before the first handshake'),
  receivedBytes: z.int(),
  sentBytes: z.int(),
})
export type WireguardPeer = z.infer<typeof wireguardPeerSchema>

/** The status of the WireGuard server; `wireguard` in the answer of `GET /_mock/tunnel`. */
export type WireguardStatus =
  | {
      mode: 'none'
      /** The reason why the server that was asked for doesn't run. */
      reason?: string
    }
  | {
      mode: 'full'
      device: 'kernel' | 'userspace'
      /** The network namespace in which the server runs. */
      namespace: string
      publicKey: string
      endpoint: string
      proxyEndpoint: string
      /** Addresses behind the tunnel that connected clients can ping: IPv4, and IPv6 if this machine has it. */
      pingAddresses: string[]
      /** The network behind the tunnel. */
      behind?: BehindStatus | undefined
      /** The reason why the last change failed. */
      failure?: string
    }

export interface Wireguard {
  readonly status: WireguardStatus
  readonly network: {
    /** The first three numbers of the clients' IPv4 addresses, and the start of their IPv6 addresses. */
    clients: { prefix: string; prefix6: string }
    behind: string[]
    dns: string[]
  }
  readonly behind?: BehindNetwork | undefined
  readonly endpoint: string
  readonly proxyEndpoint: string
  /** True if configurations for all traffic may say so. */
  readonly takesAllTraffic: boolean
  /** Replaces the peers: their public keys and the last numbers of their addresses. Never rejects: see `status`. */
  setPeers(peers: ReadonlyMap<string, number>): Promise<void>
  setFaults(faults: WireguardFaults): Promise<void>
  /** Resolves when all changes are made. Rejects if the last one failed. */
  settled(): Promise<void>
  peers(): Promise<WireguardPeer[]>
  close(): Promise<void>
}

/** No server: configurations name addresses that are reserved for documentation (RFC 2606, 5737 and 3849). */
export function noWireguard(reason?: string): Wireguard {
  const node = 'node.vpn.example'
  return {
    status: { mode: 'none', reason },
    network: {
      clients: { prefix: '10.77.0', prefix6: 'fd77::' },
      behind: ['10.99.0.0/24'],
      dns: ['192.0.2.53', '2001:db8::53'],
    },
    endpoint: `${node}:51820`,
    proxyEndpoint: `https://vpn.example/proxyguard/${node}`,
    takesAllTraffic: true,
    setPeers: () => Promise.resolve(),
    setFaults: () => Promise.resolve(),
    settled: () => Promise.resolve(),
    peers: () => Promise.resolve([]),
    close: () => Promise.resolve(),
  }
}
