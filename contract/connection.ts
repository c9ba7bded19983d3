import { z } from 'zod'
import { errorReport } from './error-report'
import { reconnectReasons } from './reconnect-reasons'

const remote = z.object({ address: z.string(), port: z.number(), protocol: z.enum(['udp', 'tcp']) })
/** A profile of an instance. */
export const target = z.object({ instanceId: z.string().max(2048), profileId: z.string().max(1024) })

/** Another process of the same person that asked for the end of a tunnel; `takesOver`: to have one itself. */
export const disconnectedBy = z.object({
  kind: z.enum(['window', 'terminal']),
  pid: z.number(),
  takesOver: z.boolean(),
})
export type DisconnectedBy = z.infer<typeof disconnectedBy>

/** main/connection/state.ts, with dates as milliseconds since the epoch. */
export const connectionSlice = z.discriminatedUnion('state', [
  z.object({ state: z.literal('idle') }),
  z.object({ state: z.enum(['discovering', 'authorizing', 'preparing']), target }),
  z.object({
    state: z.literal('connecting'),
    target,
    phase: z.enum(['starting', 'resolving', 'contacting', 'tls', 'authenticating', 'configuring']),
    remote: remote.optional(),
  }),
  z.object({
    state: z.literal('connected'),
    target,
    addresses: z.object({ ipv4: z.string().optional(), ipv6: z.string().optional() }),
    remote,
    cipher: z.string().optional(),
    allTraffic: z.boolean().optional(),
    /** The DNS servers that the server gave; `applied`: the system uses them. Without domains, for every name. */
    dns: z
      .object({
        servers: z.array(z.string()).readonly(),
        domains: z.array(z.string()).readonly(),
        applied: z.boolean(),
      })
      .optional(),
    /** The name of the tunnel's network device. */
    device: z.string().max(256).optional(),
    since: z.number(),
  }),
  z.object({
    state: z.literal('reconnecting'),
    target,
    // Another process of another version may have words of its own.
    reason: z.enum(reconnectReasons).catch('other'),
    attempt: z.number(),
    nextAttemptAt: z.number().optional(),
    waitingForNetwork: z.literal(true).optional(),
    notYetConnected: z.literal(true).optional(),
  }),
  z.object({
    state: z.enum(['disconnecting', 'disconnected']),
    target,
    by: disconnectedBy.optional(),
    /** It was given up before there was a tunnel. */
    notYetConnected: z.literal(true).optional(),
  }),
  z.object({ state: z.literal('failed'), target, error: errorReport }),
])
export type ConnectionSlice = z.infer<typeof connectionSlice>
