import { z } from 'zod'
import type { TunnelStatus } from '../vpn/tunnel/tunnel'
import type { MockState } from '../mock-state'

/** Answer of `GET /_mock` to programs. */
export const summarySchema = z.object({
  origin: z.string(),
  now: z.string().describe("The mock's clock"),
  scenario: z.string().describe('The active scenario; all-well if there is none'),
  discovery: z.object({ url: z.string(), key: z.string() }).describe('The discovery server and its key'),
  tunnel: z.looseObject({ mode: z.enum(['none', 'handshake', 'full']) }),
  profiles: z.array(z.string()),
  faults: z.int().describe('The number of active faults'),
  requests: z.int().describe('The number of requests in the journal'),
  options: z.record(z.string(), z.unknown()).describe('The options that the mock was started with'),
})
export type Summary = z.infer<typeof summarySchema>

/** State that control calls need in addition to the mockState. */
export interface About {
  origin(): string
  /** Address that the mock listens on. */
  host: string
  tunnel(): TunnelStatus
  options: object
}

/** Returns a summary of the mock's state. */
export function summaryOf(mockState: MockState, about: About): Summary {
  return {
    origin: about.origin(),
    now: mockState.clock.now().toISOString(),
    scenario: mockState.scenario,
    discovery: { url: mockState.discovery.url, key: mockState.discovery.publicKey },
    tunnel: { ...about.tunnel() },
    profiles: mockState.vpn.offeredProfiles.map(({ profile_id }) => profile_id),
    faults: mockState.faults.rules.length,
    requests: mockState.journal.size,
    options: Object.fromEntries(Object.entries(about.options).filter(([, value]) => value !== undefined)),
  }
}
