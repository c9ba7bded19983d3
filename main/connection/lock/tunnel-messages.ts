import { z } from 'zod'
import { connectionState, disconnectedBy } from '../../../contract/connection'

/** Which part of Causeway a process is. */
export type HolderKind = 'window' | 'terminal'

/** Who has the one tunnel of a data directory, and how far it is. */
export const holderSchema = z.object({
  pid: z.int().positive(),
  kind: z.enum(['window', 'terminal']),
  /** When it took the tunnel, in milliseconds since the epoch. */
  since: z.number(),
  connection: connectionState,
})
export type TunnelHolder = z.infer<typeof holderSchema>

/** What one may ask the holder. */
export const requestSchema = z.object({ ask: z.literal('disconnect'), by: disconnectedBy.optional() })
export type TunnelRequest = z.infer<typeof requestSchema>

/** How a client begins where there is a key, and the first line that it gets then; both prove to know it. */
const helloSchema = z.object({ nonce: z.string().min(32).max(64), proof: z.string() })
export type Hello = z.infer<typeof helloSchema>
const welcomeSchema = helloSchema.pick({ proof: true })

/** Undefined for everything that is no such beginning. */
export function parseHello(line: string): Hello | undefined {
  const parsed = helloSchema.safeParse(parseJson(line))
  return parsed.success ? parsed.data : undefined
}

/** Returns the holder's proof, if the line is one. */
export function parseWelcome(line: string): string | undefined {
  const parsed = welcomeSchema.safeParse(parseJson(line))
  return parsed.success ? parsed.data.proof : undefined
}

/** A holder that is of another version, or no Causeway, is undefined. */
export function parseHolder(line: string): TunnelHolder | undefined {
  const parsed = holderSchema.safeParse(parseJson(line))
  return parsed.success ? parsed.data : undefined
}

/** Undefined for everything that is no request. */
export function parseRequest(line: string): TunnelRequest | undefined {
  const parsed = requestSchema.safeParse(parseJson(line))
  return parsed.success ? parsed.data : undefined
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
