import { z } from 'zod'
import { seedProfiles, seedSystemMessages } from '../seed/vpn'
import type { Environment, Part } from '../state/environment'
import { Single } from '../state/single'
import { AuthorizeBehaviour } from './authorize-behaviour'
import { CertificateAuthority, type CertificateCheck, type KeyPair } from './certificate-authority'
import { isRegisteredClient } from './clients'
import { newestPortal, portalFeatures, type PortalVersion } from './portal-version'
import {
  profileSchema,
  systemMessageSchema,
  type Profile,
  type ShownMessage,
  type SystemMessage,
} from './profile'
import { profileConfig, type ProfileConfig } from './profile-config'
import { chooseRemotes } from './remotes'
import { refusedInHandshake, type Distrust, type Situation } from './situation'
import { staticKey, staticKeyBytes } from './static-key'
import { TokenStore, type Authorization } from './token-store'
import { noTunnel } from './tunnel/no-tunnel'
import type { RefusedIn } from './tunnel/refusals'
import type { ServerIdentity } from './tunnel/server-config'
import type { Tunnel } from './tunnel/tunnel'

const usualUserId = 'tester'
/** The oldest clients are forgotten when there are more. */
const mostClients = 1000

/** What the VPN instance holds: who logged in, which certificates it issued, and what it shows. */
export class VpnService implements Part {
  /** Who is signed in at the portal in the browser, and so logs in next. */
  userId = usualUserId
  readonly tokens: TokenStore
  readonly authority: CertificateAuthority
  /** The pre-shared key of its OpenVPN servers. */
  readonly tlsCryptKey: string
  readonly authorize = new AuthorizeBehaviour()
  /** The portal that is played. */
  portal: PortalVersion = newestPortal
  /** What runs behind the profiles. */
  tunnel: Tunnel = noTunnel
  situation: Situation = {}
  /** The common names of the certificates that the OpenVPN servers have verified, oldest first. */
  clients: readonly string[] = []
  readonly #environment: Environment
  readonly #profiles: Single<Profile[]>
  readonly #systemMessages: Single<SystemMessage[]>
  #distrust: Distrust | undefined
  /** The serial numbers that the servers refuse only because of the distrust. */
  #refusedForNow: string[] = []

  constructor(environment: Environment, onCertificateRevoked: (serialNumber: string) => void) {
    const { clock, persistence, secrets } = environment
    this.#environment = environment
    this.tokens = new TokenStore(environment)
    this.authority = new CertificateAuthority(clock, onCertificateRevoked, environment)
    this.#profiles = new Single(persistence, 'vpn-profiles', z.array(profileSchema), [])
    this.#systemMessages = new Single(persistence, 'vpn-system-messages', z.array(systemMessageSchema), [])
    const tlsCrypt = new Single(persistence, 'vpn-tls-crypt-key', z.string(), '')
    if (tlsCrypt.get() === '') tlsCrypt.set(staticKey(secrets.next('tls-crypt-key', staticKeyBytes)))
    this.tlsCryptKey = tlsCrypt.get()
  }

  get profiles(): Profile[] {
    return this.#profiles.get()
  }

  set profiles(profiles: Profile[]) {
    this.#profiles.set(profiles)
  }

  set systemMessages(messages: SystemMessage[]) {
    this.#systemMessages.set(messages)
  }

  noteClient(commonName: string): void {
    this.clients = [...this.clients, commonName].slice(-mostClients)
  }

  /** The certificates that are known now, each with the user whose login it was issued to. */
  certificates(): { commonName: string; user: string | null }[] {
    return this.authority.commonNames.map((commonName) => {
      const { authorizationId } = this.authority.issued(commonName) ?? {}
      const user = authorizationId === undefined ? undefined : this.tokens.userOf(authorizationId)
      return { commonName, user: user ?? null }
    })
  }

  /** Whether this is one of the registered clients. */
  readonly isRegistered = (clientId: string): boolean =>
    this.situation.knowsNoClient !== true && isRegisteredClient(clientId)

  /** The data of profile_list. */
  listedProfiles(): object[] {
    const { showsDefaultGateway } = portalFeatures(this.portal)
    return this.#shownProfiles()
      .filter(({ hidden }) => hidden !== true)
      .map(({ profile_id, display_name, default_gateway }) => ({
        profile_id,
        display_name,
        two_factor: false,
        ...(showsDefaultGateway && default_gateway !== undefined ? { default_gateway } : {}),
      }))
  }

  /** The data of system_messages. */
  shownMessages(): ShownMessage[] {
    return this.situation.systemMessages ?? this.#systemMessages.get()
  }

  /** The answer of profile_config, or undefined where there is no such profile for this user. */
  profileConfig(profileId: string, strategy: string | undefined): ProfileConfig | undefined {
    const { refusesProfiles, changeRemotes, changeConfig } = this.situation
    const profile = this.#shownProfiles().find(({ profile_id }) => profile_id === profileId)
    if (profile === undefined || profile.hidden === true || refusesProfiles === true) return undefined
    const { persistence, secrets } = this.#environment
    const classes = this.tunnel.remotes(profile.default_gateway === true)
    const heeded = portalFeatures(this.portal).heedsRemoteStrategy ? strategy : undefined
    const remotes = persistence.together(() =>
      chooseRemotes(classes, heeded, () => secrets.nextNumber('remote')),
    )
    const config = profileConfig({
      caCertificate: this.authority.certificate,
      tlsCryptKey: this.tlsCryptKey,
      remotes: changeRemotes?.(remotes) ?? remotes,
    })
    return changeConfig?.(config, profileId) ?? config
  }

  /** The data of create_keypair. */
  issueKeyPair({ id, sessionEnd }: Authorization): KeyPair {
    const { certificate, private_key, commonName } = this.authority.issueClient(sessionEnd, id)
    if (this.#distrust !== undefined && this.#distrust.names === undefined) this.#refuseForNow(commonName)
    if (this.situation.mixesKeyPairs !== true) return { certificate, private_key }
    return { certificate, private_key: this.authority.issueClient(sessionEnd, id).private_key }
  }

  /** The data of check_certificate. */
  checkCertificate(commonName: string): CertificateCheck {
    const check = this.authority.check(commonName)
    if (!check.is_valid) return check
    const distrust = this.#distrust
    if (distrust !== undefined && (distrust.names?.has(commonName) ?? true)) {
      return { is_valid: false, reason: distrust.reason }
    }
    const { authorizationId } = this.authority.issued(commonName) ?? {}
    const sessionEnd = authorizationId === undefined ? undefined : this.tokens.sessionEnd(authorizationId)
    return sessionEnd !== undefined && this.#environment.clock.now() > sessionEnd
      ? { is_valid: false, reason: 'certificate_expired' }
      : check
  }

  /** Keys and a certificate for its OpenVPN servers. */
  newServerIdentity(): ServerIdentity {
    return {
      caCertificate: this.authority.certificate,
      server: this.authority.issueServer('mock-instance'),
      tlsCryptKey: this.tlsCryptKey,
    }
  }

  /** Has another authority from now on, and OpenVPN servers with certificates of that. */
  async renewAuthority(): Promise<void> {
    this.authority.renew()
    await this.tunnel.changeIdentity(this.newServerIdentity())
  }

  /** Forgets one certificate, or all without a name, and lets the OpenVPN servers refuse them. Returns their names. */
  revoke(commonName: string | undefined, refusedIn: RefusedIn): string[] {
    const names = commonName === undefined ? this.authority.commonNames : [commonName]
    const serialNumbers = names.map((name) => this.authority.issued(name)?.serialNumber)
    const revoked = this.authority.revoke(commonName)
    for (const serialNumber of serialNumbers) {
      if (serialNumber !== undefined) this.tunnel.refuse(serialNumber, refusedIn)
    }
    return revoked
  }

  /** Calls good certificates bad, those issued so far or all, and lets the OpenVPN servers refuse them; until `settle`. */
  distrust(reason: Distrust['reason'], which: 'those so far' | 'all'): void {
    const names = this.authority.commonNames
    this.#distrust = which === 'all' ? { reason } : { reason, names: new Set(names) }
    for (const name of names) this.#refuseForNow(name)
  }

  reset(): void {
    this.userId = usualUserId
    this.clients = []
    this.tokens.revoke('all')
    this.authority.revoke()
    this.profiles = seedProfiles()
    this.systemMessages = seedSystemMessages(this.#environment.clock.now())
  }

  settle(): void {
    this.situation = {}
    this.tokens.settle()
    this.authorize.settle()
    this.#distrust = undefined
    this.tunnel.refuseAll()
    const revoked = new Set(this.authority.revokedSerialNumbers)
    for (const serialNumber of this.#refusedForNow.splice(0)) {
      if (!revoked.has(serialNumber)) this.tunnel.accept(serialNumber)
    }
    // A failure to start is part of what the tunnel says of itself.
    void this.tunnel.act('start')
  }

  async close(): Promise<void> {
    // nothing to end: the tunnel is closed by whoever started it
  }

  #shownProfiles(): Profile[] {
    return this.situation.profiles ?? this.profiles
  }

  #refuseForNow(commonName: string): void {
    const serialNumber = this.authority.issued(commonName)?.serialNumber
    if (serialNumber === undefined || this.#distrust === undefined) return
    this.#refusedForNow.push(serialNumber)
    this.tunnel.refuse(
      serialNumber,
      refusedInHandshake.has(this.#distrust.reason) ? 'handshake' : 'client-connect',
    )
  }
}
