import type { Fault } from './control/faults'
import type { JournalRecord } from './control/journal-record'
import type { MockState } from './mock-state'
import type { Authorization } from './vpn/token-store'

declare module 'fastify' {
  interface FastifyRequest {
    /** The world that the request came to. */
    world: MockState
    /** The path before the addresses in the answer: that of the world, unless their host name selects it. */
    worldPrefix: string
    /** The origin that the answer must name. */
    askedOrigin: string
    authorization: Authorization | null
    /** Fault that still has to affect this request; `undecided` until its body has been read. */
    pendingFault: Fault | 'undecided' | null
    journalRecord: JournalRecord | null
  }
}
