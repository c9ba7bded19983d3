import { z } from 'zod'
import type { TunnelStatus } from '../vpn/tunnel/tunnel'
import type { World } from '../world'

/** What `GET /_mock` says to programs. */
export const summarySchema = z.object({
  origin: z.string(),
  now: z.string().describe("The mock's clock"),
  scenario: z.string().describe('The scenario in force; all-well when there is none'),
  tunnel: z.looseObject({ mode: z.enum(['none', 'handshake', 'full']) }),
  profiles: z.array(z.string()),
  faults: z.int().describe('How many are in force'),
  requests: z.int().describe('How many are in the journal'),
  options: z.record(z.string(), z.unknown()).describe('The options that the mock was started with'),
})
export type Summary = z.infer<typeof summarySchema>

/** What control calls need to know beside the world. */
export interface About {
  origin(): string
  /** The address that the mock listens on. */
  host: string
  tunnel(): TunnelStatus
  options: object
}

/** What runs, in short. */
export function summaryOf(world: World, about: About): Summary {
  return {
    origin: about.origin(),
    now: world.clock.now().toISOString(),
    scenario: world.scenario,
    tunnel: { ...about.tunnel() },
    profiles: world.vpn.profiles.map(({ profile_id }) => profile_id),
    faults: world.faults.rules.length,
    requests: world.journal.size,
    options: Object.fromEntries(Object.entries(about.options).filter(([, value]) => value !== undefined)),
  }
}
