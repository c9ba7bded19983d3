import { z } from 'zod'
import { seedProfiles, seedSystemMessages } from '../seed/vpn'
import type { Environment, Part } from '../state/environment'
import { Single } from '../state/single'
import { CertificateAuthority } from './certificate-authority'
import { profileSchema, systemMessageSchema, type Profile, type SystemMessage } from './profile'
import { TokenStore } from './token-store'

/** What the VPN instance holds: who logged in, which certificates it issued, and what it shows. */
export class VpnService implements Part {
  readonly userId = 'tester'
  readonly tokens: TokenStore
  readonly authority: CertificateAuthority
  readonly #environment: Environment
  readonly #profiles: Single<Profile[]>
  readonly #systemMessages: Single<SystemMessage[]>

  constructor(environment: Environment, onCertificateRevoked: (serialNumber: string) => void) {
    const { clock, persistence } = environment
    this.#environment = environment
    this.tokens = new TokenStore(clock)
    this.authority = new CertificateAuthority(clock, onCertificateRevoked)
    this.#profiles = new Single(persistence, 'vpn-profiles', z.array(profileSchema), [])
    this.#systemMessages = new Single(persistence, 'vpn-system-messages', z.array(systemMessageSchema), [])
  }

  get profiles(): Profile[] {
    return this.#profiles.get()
  }

  set profiles(profiles: Profile[]) {
    this.#profiles.set(profiles)
  }

  get systemMessages(): SystemMessage[] {
    return this.#systemMessages.get()
  }

  set systemMessages(messages: SystemMessage[]) {
    this.#systemMessages.set(messages)
  }

  reset(): void {
    this.tokens.revoke('all')
    this.authority.revoke()
    this.profiles = seedProfiles()
    this.systemMessages = seedSystemMessages(this.#environment.clock.now())
  }

  settle(): void {
    // nothing here can be made to go wrong yet
  }

  async close(): Promise<void> {
    // nothing to end
  }
}
