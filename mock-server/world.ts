import { z } from 'zod'
import { AttachmentsService } from './attachments/attachments-service'
import { AdjustableClock, type Clock } from './clock'
import { ContentService } from './content/content-service'
import { FaultList } from './control/faults'
import { Journal } from './control/journal'
import { OrganizationsService } from './organizations/organizations-service'
import type { Environment, Part } from './state/environment'
import type { Persistence } from './state/persistence'
import { SeededBytes } from './state/seeded-bytes'
import { Single } from './state/single'
import { VpnService } from './vpn/vpn-service'

/** Everything that the mock holds and that control calls can change. Faults and journal end with the mock. */
export class World {
  readonly clock: AdjustableClock
  readonly faults = new FaultList()
  readonly journal = new Journal()
  readonly vpn: VpnService
  readonly attachments: AttachmentsService
  readonly content: ContentService
  readonly organizations: OrganizationsService
  readonly #environment: Environment
  readonly #parts: Part[]
  readonly #isSeeded: Single<boolean>

  constructor(options: {
    seed: number
    clock: Clock
    persistence: Persistence
    dataDir: string | undefined
    origin(): string
    onCertificateRevoked(serialNumber: string): void
  }) {
    const { persistence, seed } = options
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
    if (!this.#isSeeded.get()) this.reset()
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
    this.journal.clear()
  }

  /** Takes back every fault and situation, and forgets nothing that clients did. */
  settle(): void {
    this.faults.clear()
    for (const part of this.#parts) part.settle()
  }

  async close(): Promise<void> {
    await Promise.all(this.#parts.map((part) => part.close()))
  }
}
