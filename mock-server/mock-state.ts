import { z } from 'zod'
import { AttachmentsService } from './attachments/attachments-service'
import { AdjustableClock } from './clock'
import { ContentService } from './content/content-service'
import { EventFeed } from './control/event-feed'
import { FaultList } from './control/faults'
import { Journal } from './control/journal'
import { DiscoveryService } from './discovery/discovery-service'
import { OrganizationsService } from './organizations/organizations-service'
import type { Environment, Part } from './state/environment'
import { SeededBytes } from './state/seeded-bytes'
import { Single } from './state/collection'
import type { TlsListener } from './tls/tls-listener'
import type { BehindEvent } from './vpn/behind/behind'
import { VpnService } from './vpn/vpn-service'

/** Name of the scenario that undoes all others; active while nothing is wrong. */
export const allWell = 'all-well'

const movedSchema = z.object({ movedMs: z.number(), offsetMs: z.number() })
const notMoved = { movedMs: 0, offsetMs: 0 }

/** All state that control calls can change. Faults, scenario and journal end with the process. */
export class MockState {
  readonly clock: AdjustableClock
  readonly events = new EventFeed()
  readonly faults: FaultList
  readonly journal = new Journal()
  readonly vpn: VpnService
  readonly discovery: DiscoveryService
  readonly attachments: AttachmentsService
  readonly content: ContentService
  readonly organizations: OrganizationsService
  /** The TLS of the port of this world; undefined without TLS, and for a world without a port of its own. */
  tls: TlsListener | undefined
  readonly #environment: Environment
  readonly #parts: Part[]
  readonly #isSeeded: Single<boolean>
  /** The names of the active scenarios. */
  scenarios: readonly string[] = []
  /** How far they moved the clock, and the offset at which they left it: kept as long as the clock is. */
  readonly #moved: Single<z.infer<typeof movedSchema>>

  /** The name distinguishes the secrets of worlds with the same seed; it is empty for the main world. */
  constructor({ name, ...given }: Omit<Environment, 'ids' | 'secrets'> & { name: string }) {
    const { persistence, seed } = given
    this.faults = new FaultList(() => {
      this.events.publish('faults', () => this.faults.rules)
    })
    this.clock = new AdjustableClock(given.clock, new Single(persistence, 'clock', z.number(), 0))
    this.#environment = {
      ...given,
      clock: this.clock,
      ids: new SeededBytes(persistence, 'ids', seed),
      secrets: new SeededBytes(persistence, name === '' ? 'secrets' : `secrets of ${name}`, seed),
    }
    this.#isSeeded = new Single(persistence, 'seeded', z.boolean(), false)
    this.#moved = new Single(persistence, 'clock-of-scenario', movedSchema, notMoved)
    this.vpn = new VpnService(this.#environment)
    this.discovery = new DiscoveryService(this.#environment)
    this.attachments = new AttachmentsService(this.#environment)
    this.content = new ContentService(this.#environment)
    this.organizations = new OrganizationsService(this.#environment)
    this.#parts = [this.vpn, this.discovery, this.attachments, this.content, this.organizations]
    if (this.#isSeeded.get()) this.revertScenario()
    else this.reset()
  }

  /** The active scenarios in one text; all-well if there are none. */
  get scenario(): string {
    return this.scenarios.length === 0 ? allWell : this.scenarios.join(' + ')
  }

  /** The address of this world, for clients that haven't called it yet. */
  get origin(): string {
    return this.#environment.origin()
  }

  /** Goes back to the seed data: resets the clock and deletes everything issued, uploaded or faulty. */
  reset(): void {
    this.#environment.persistence.together(() => {
      this.clock.reset()
      this.#moved.set(notMoved)
      this.#environment.ids.restart()
      for (const part of this.#parts) part.reset()
      this.#isSeeded.set(true)
    })
    this.revertScenario()
    this.clearJournal()
    this.#publishClock()
  }

  /** Undoes all faults and scenarios, and keeps what clients did. */
  revertScenario(): void {
    this.faults.clear()
    for (const part of this.#parts) part.revertScenario()
    if (this.tls?.fault !== undefined) this.tls.fault = undefined
    const { movedMs, offsetMs } = this.#moved.get()
    if (movedMs !== 0) {
      this.#environment.persistence.together(() => {
        // Unless someone else has moved the clock since.
        if (this.clock.offsetMs === offsetMs) this.clock.advance(-movedMs / 1000)
        this.#moved.set(notMoved)
      })
      this.#publishClock()
    }
    this.scenarios = []
    this.#publishScenario()
  }

  /** Replaces the active scenarios. If one of these can't be applied, none is active. */
  apply(
    scenarios: readonly {
      name: string
      checkIn(world: MockState): void
      applyTo(world: MockState): void
    }[],
  ): void {
    this.revertScenario()
    // Before any of them is applied: the end of logins, for one, can't be undone.
    for (const scenario of scenarios) scenario.checkIn(this)
    const before = this.clock.offsetMs
    try {
      this.#environment.persistence.together(() => {
        for (const scenario of scenarios) scenario.applyTo(this)
        const { offsetMs } = this.clock
        if (offsetMs !== before) this.#moved.set({ movedMs: offsetMs - before, offsetMs })
      })
    } catch (error) {
      this.revertScenario()
      throw error
    }
    this.scenarios = scenarios.map(({ name }) => name).filter((name) => name !== allWell)
    if (this.clock.offsetMs !== before) this.#publishClock()
    this.#publishScenario()
  }

  moveClock(change: { now: string } | { advanceSeconds: number }): void {
    if ('now' in change) this.clock.set(new Date(change.now))
    else this.clock.advance(change.advanceSeconds)
    this.#publishClock()
  }

  noteBehind(event: BehindEvent): void {
    const record = this.journal.note(this.clock.now().getTime(), event)
    this.events.publish('request', () => record.entry())
  }

  clearJournal(): void {
    this.journal.clear()
    this.events.publish('journal', () => ({ cleared: true }))
  }

  async close(): Promise<void> {
    this.events.close()
    this.journal.close()
    await Promise.all(this.#parts.map(async (part) => part.close?.()))
  }

  #publishClock(): void {
    this.events.publish('clock', () => ({ now: this.clock.now().toISOString() }))
  }

  #publishScenario(): void {
    this.events.publish('scenario', () => ({ name: this.scenario, names: this.scenarios }))
  }
}
