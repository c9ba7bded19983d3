import { parseJson } from '../../json'
import { z } from 'zod'
import { connectionState, disconnectedBy } from '../../../contract/connection'

/** The kind of a Causeway process. */
export type HolderKind = 'window' | 'terminal'

/** The holder of a data directory's tunnel, with the state of its connection. */
const holderSchema = z.object({
  pid: z.int().positive(),
  kind: z.enum(['window', 'terminal']),
  /** The time of taking the tunnel, in milliseconds since the epoch. */
  since: z.number(),
  /** The home folder of the process, which tells one's own processes from those of a container or a sandbox. */
  home: z.string(),
  connection: connectionState,
})
export type TunnelHolder = z.infer<typeof holderSchema>

/** A client's request to the holder. */
const requestSchema = z.discriminatedUnion('ask', [
  z.object({ ask: z.literal('disconnect'), by: disconnectedBy.optional() }),
  z.object({ ask: z.literal('reconnect') }),
])
export type TunnelRequest = z.infer<typeof requestSchema>

/** The first line of a client and of the holder's answer if there is a key. Each proves to know it. */
const helloSchema = z.object({ nonce: z.string().min(32).max(64), proof: z.string() })
export type Hello = z.infer<typeof helloSchema>
const welcomeSchema = helloSchema.pick({ proof: true })

/** Returns the parsed line, or undefined if it's not a hello. */
export function parseHello(line: string): Hello | undefined {
  const parsed = helloSchema.safeParse(parseJson(line))
  return parsed.success ? parsed.data : undefined
}

/** Returns the holder's proof, if the line is one. */
export function parseWelcome(line: string): string | undefined {
  const parsed = welcomeSchema.safeParse(parseJson(line))
  return parsed.success ? parsed.data.proof : undefined
}

/** Returns the parsed line, or undefined if it's not a holder of this version. */
export function parseHolder(line: string): TunnelHolder | undefined {
  const parsed = holderSchema.safeParse(parseJson(line))
  return parsed.success ? parsed.data : undefined
}

/** Returns the parsed line, or undefined if it's not a request. */
export function parseRequest(line: string): TunnelRequest | undefined {
  const parsed = requestSchema.safeParse(parseJson(line))
  return parsed.success ? parsed.data : undefined
}
