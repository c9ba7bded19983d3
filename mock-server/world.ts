import { AdjustableClock, type Clock } from './clock'
import type { StoredAttachment } from './attachments/attachment'
import { FaultList } from './control/faults'
import { Journal } from './control/journal'
import { seedAttachments } from './seed/attachments'
import { seedProfiles, seedSystemMessages } from './seed/vpn'
import { CertificateAuthority } from './vpn/certificate-authority'
import type { Profile, SystemMessage } from './vpn/profile'
import { TokenStore } from './vpn/token-store'

/** Everything that the mock holds in memory and that control calls can change. */
export class World {
  readonly userId = 'tester'
  readonly clock: AdjustableClock
  readonly tokens: TokenStore
  readonly authority: CertificateAuthority
  readonly faults = new FaultList()
  readonly journal = new Journal()
  profiles: Profile[] = []
  systemMessages: SystemMessage[] = []
  attachments: StoredAttachment[] = []
  readonly #seed: number
  readonly #origin: () => string

  constructor(options: {
    seed: number
    clock: Clock
    origin(): string
    onCertificateRevoked(serialNumber: string): void
  }) {
    this.#seed = options.seed
    this.#origin = () => options.origin()
    this.clock = new AdjustableClock(options.clock)
    this.tokens = new TokenStore(this.clock)
    this.authority = new CertificateAuthority(this.clock, (serialNumber) => {
      options.onCertificateRevoked(serialNumber)
    })
  }

  /** Back to the seed: the time, what is shown, and nothing issued, faulty or written down. */
  reset(): void {
    this.clock.reset()
    this.tokens.revoke('all')
    this.authority.revoke()
    this.faults.clear()
    this.journal.clear()
    const now = this.clock.now()
    this.profiles = seedProfiles()
    this.systemMessages = seedSystemMessages(now)
    this.attachments = seedAttachments(this.#seed, now, this.#origin())
  }
}
