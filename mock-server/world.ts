import { z } from 'zod'
import { AttachmentsService } from './attachments/attachments-service'
import { AdjustableClock, type Clock } from './clock'
import { ContentService } from './content/content-service'
import { EventFeed } from './control/event-feed'
import { FaultList } from './control/faults'
import { Journal } from './control/journal'
import { allWell, type Scenario } from './control/scenario'
import { OrganizationsService } from './organizations/organizations-service'
import type { Environment, Part } from './state/environment'
import type { Persistence } from './state/persistence'
import { SeededBytes } from './state/seeded-bytes'
import { Single } from './state/single'
import { VpnService } from './vpn/vpn-service'

/** The scenario in force, and where it left the clock if it moved it. */
interface InForce {
  name: string
  movedMs: number
  offsetMs: number
}

const nothingWrong: InForce = { name: allWell, movedMs: 0, offsetMs: 0 }

/**
 * Everything that the mock holds and that control calls can change. Faults, scenario and journal end with the mock: one
 * that starts on a data directory starts settled.
 */
export class World {
  readonly clock: AdjustableClock
  readonly events = new EventFeed()
  readonly faults: FaultList
  readonly journal = new Journal()
  readonly vpn: VpnService
  readonly attachments: AttachmentsService
  readonly content: ContentService
  readonly organizations: OrganizationsService
  readonly #environment: Environment
  readonly #parts: Part[]
  readonly #isSeeded: Single<boolean>
  #inForce = nothingWrong

  constructor(options: {
    seed: number
    clock: Clock
    persistence: Persistence
    dataDir: string | undefined
    origin(): string
    onCertificateRevoked(serialNumber: string): void
  }) {
    const { persistence, seed } = options
    this.faults = new FaultList(() => {
      this.events.publish('faults', () => this.faults.rules)
    })
    this.clock = new AdjustableClock(options.clock, new Single(persistence, 'clock', z.number(), 0))
    this.#environment = {
      clock: this.clock,
      persistence,
      dataDir: options.dataDir,
      seed,
      ids: new SeededBytes(persistence, 'ids', seed),
      secrets: new SeededBytes(persistence, 'secrets', seed),
      origin: () => options.origin(),
    }
    this.#isSeeded = new Single(persistence, 'seeded', z.boolean(), false)
    this.vpn = new VpnService(this.#environment, (serialNumber) => {
      options.onCertificateRevoked(serialNumber)
    })
    this.attachments = new AttachmentsService(this.#environment)
    this.content = new ContentService(this.#environment)
    this.organizations = new OrganizationsService(this.#environment)
    this.#parts = [this.vpn, this.attachments, this.content, this.organizations]
    if (this.#isSeeded.get()) this.settle()
    else this.reset()
  }

  /** The name of the scenario in force. */
  get scenario(): string {
    return this.#inForce.name
  }

  /** Back to the seed: the time, what is shown, and nothing issued, uploaded, faulty or written down. */
  reset(): void {
    this.#environment.persistence.together(() => {
      this.clock.reset()
      this.#environment.ids.restart()
      for (const part of this.#parts) part.reset()
      this.#isSeeded.set(true)
    })
    this.settle()
    this.clearJournal()
    this.#publishClock()
  }

  /** Takes back every fault and situation, and forgets nothing that clients did. */
  settle(): void {
    this.faults.clear()
    for (const part of this.#parts) part.settle()
    this.#takeBackClock()
    this.#inForce = nothingWrong
    this.#publishScenario()
  }

  /** Sets up a situation in place of the one before. One that cannot be set up leaves none. */
  apply(scenario: Scenario): void {
    this.settle()
    const before = this.clock.offsetMs
    try {
      scenario.apply()
    } catch (error) {
      this.settle()
      throw error
    }
    const { offsetMs } = this.clock
    this.#inForce = { name: scenario.name, movedMs: offsetMs - before, offsetMs }
    if (offsetMs !== before) this.#publishClock()
    this.#publishScenario()
  }

  /** Moves the clock, to a time or by seconds. */
  moveClock(change: { now: string } | { advanceSeconds: number }): void {
    if ('now' in change) this.clock.set(new Date(change.now))
    else this.clock.advance(change.advanceSeconds)
    this.#publishClock()
  }

  clearJournal(): void {
    this.journal.clear()
    this.events.publish('journal', () => ({ cleared: true }))
  }

  async close(): Promise<void> {
    this.events.close()
    await Promise.all(this.#parts.map((part) => part.close()))
  }

  /** A clock that someone moved since then stays where they put it. */
  #takeBackClock(): void {
    const inForce = this.#inForce
    if (inForce.movedMs === 0 || this.clock.offsetMs !== inForce.offsetMs) return
    this.clock.advance(-inForce.movedMs / 1000)
    this.#publishClock()
  }

  #publishClock(): void {
    this.events.publish('clock', () => ({ now: this.clock.now().toISOString() }))
  }

  #publishScenario(): void {
    this.events.publish('scenario', () => ({ name: this.scenario }))
  }
}
