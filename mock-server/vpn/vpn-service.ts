import { z } from 'zod'
import { hostIn } from '../http/origin'
import { rememberLast } from '../remember-last'
import { seedProfiles, seedSystemMessages } from '../seed/vpn'
import { type Environment, type Part, secretOf } from '../state/environment'
import { Single } from '../state/collection'
import { AuthorizeBehaviour, QueuedAnswers } from './queued-answers'
import { BehindNetworks } from './behind/behind-networks'
import {
  CertificateAuthority,
  type CertificateCheck,
  type CertificateReason,
  type KeyPair,
} from './certificate-authority'
import {
  type AddedClient,
  isRedirectOf,
  isRegisteredClient,
  isRegisteredRedirect,
  isUsableRedirect,
  partsOf,
} from './clients'
import { ecKeyBytes } from './ec-key'
import { AccessTokenJwts } from './jwt'
import { newestPortal, type Portal3Features, portalFeatures, type PortalVersion } from './portal-version'
import {
  isInVersion2,
  type Profile,
  profileSchema,
  type ShownMessage,
  type SystemMessage,
  systemMessageSchema,
} from './profile'
import { type ProfileConfig, profileConfig, staticKey, staticKeyBytes } from './profile-config'
import { chooseRemotes, portalPorts, type RemoteClasses, remotesByClass } from './remotes'
import { type OfferedApi, type PortalSettings, type Situation, usualSettings } from './situation'
import { type Authorization, TokenStore } from './token-store'
import type { allTunnelActions, TunnelStatus } from './tunnel/tunnel'
import type { Tunnel } from './tunnel/tunnel-switch'
import type { RefusedIn } from './tunnel/refusals'
import type { ServerIdentity } from './tunnel/server-config'
import { Portal3 } from './v3/portal-3'
import { noWireguard, type Wireguard } from './wireguard/wireguard'

const defaultUserId = 'tester'
const suggestedUsers = [defaultUserId, 'anna', 'bram', 'chloé']
const maxSuggested = 20
/** The maximum number of stored clients. The oldest are dropped first. */
const maxClients = 1000
/** The mock's clock can move, so ended sessions are looked for instead of waited for. */
const sessionCheckMs = 500

export class VpnService implements Part {
  /** The user who is signed in at the portal in the browser. */
  userId = defaultUserId
  readonly tokens: TokenStore
  readonly authority: CertificateAuthority
  readonly tlsCryptKey: string
  readonly authorize = new AuthorizeBehaviour()
  readonly queuedAnswers = new QueuedAnswers()
  settings = usualSettings
  /** The simulated portal version for version 2 of the API. */
  portal: PortalVersion = newestPortal
  /** The settings that the mock was started with, which a reset restores. */
  #started = usualSettings
  readonly version3: Portal3
  tunnel: Tunnel | undefined
  wireguard: Wireguard = noWireguard()
  readonly networks = new BehindNetworks(() => [this.tunnel?.behind, this.wireguard.behind])
  situation: Situation = {}
  addedClients: readonly AddedClient[] = []
  /** Accepts every client with every redirect URI that a browser may open. */
  acceptsAnyClient = false
  /** The common names of the certificates that the OpenVPN servers have verified, oldest first. */
  clients: readonly string[] = []
  readonly #environment: Environment
  readonly profiles: Single<Profile[]>
  readonly systemMessages: Single<SystemMessage[]>
  #sessionCheck: NodeJS.Timeout | undefined
  #exampleToken = ''
  /** Valid certificates that the portal reports as invalid; all, with later ones, without names. */
  #reportedInvalid: { reason: CertificateReason; names?: ReadonlySet<string> } | undefined
  /** The serial numbers that the servers refuse only because of the distrust. */
  #refusedForNow: string[] = []

  constructor(environment: Environment) {
    const { clock, persistence } = environment
    this.#environment = environment
    this.tokens = new TokenStore(environment, () => (this.offers(3) ? 3 : 2))
    this.authority = new CertificateAuthority(clock, environment)
    this.profiles = new Single(persistence, 'vpn-profiles', z.array(profileSchema), [])
    this.systemMessages = new Single(persistence, 'vpn-system-messages', z.array(systemMessageSchema), [])
    this.tlsCryptKey = staticKey(secretOf(environment, 'vpn-tls-crypt-key', 'tls-crypt-key', staticKeyBytes))
    this.version3 = new Portal3(environment, this)
  }

  startWith(given: Pick<PortalSettings, 'api' | 'portalVersion'>): void {
    this.#started = { ...usualSettings, ...given }
    this.settings = this.#started
  }

  issueJwts(): void {
    this.tokens.jwts = new AccessTokenJwts(secretOf(this.#environment, 'vpn-jwt-key', 'jwt-key', ecKeyBytes))
    this.tokens.jwtOrigin = () => {
      const origin = this.#environment.origin()
      return { iss: this.tokenIssuer(origin), aud: origin }
    }
  }

  get offeredApi(): OfferedApi {
    return this.situation.offersApi ?? this.settings.api
  }

  /** The settings as the scenario changes them. */
  get shownSettings(): PortalSettings {
    const { settings, situation } = this
    return {
      ...settings,
      api: this.offeredApi,
      maxConfigurations: situation.maxConfigurations ?? settings.maxConfigurations,
      deleteAuthorizationOnDisconnect:
        situation.deletesAuthorizationOnDisconnect ?? settings.deleteAuthorizationOnDisconnect,
    }
  }

  changeSettings(settings: Partial<PortalSettings>): void {
    const { api, maxConfigurations, deleteAuthorizationOnDisconnect } = settings
    this.settings = Object.assign({}, this.settings, settings)
    if (api !== undefined) this.endChange('offersApi')
    if (maxConfigurations !== undefined) this.endChange('maxConfigurations')
    if (deleteAuthorizationOnDisconnect !== undefined) this.endChange('deletesAuthorizationOnDisconnect')
  }

  /** Ends a change of the scenario: what a control call sets later would have no effect. */
  endChange(name: keyof Situation): void {
    const { [name]: _ended, ...others } = this.situation
    this.situation = others
  }

  offers(version: 2 | 3): boolean {
    return this.offeredApi.includes(String(version))
  }

  get offeredProfiles(): Profile[] {
    const profiles = this.profiles.get()
    return this.offers(3) ? profiles : profiles.filter(isInVersion2)
  }

  noteClient(commonName: string): void {
    this.clients = [...this.clients, commonName].slice(-maxClients)
  }

  /** Users to choose from when signing in: the one who is signed in at the portal, and others. */
  get knownUsers(): string[] {
    return [...new Set([this.userId, ...suggestedUsers, ...this.tokens.users])].slice(0, maxSuggested)
  }

  /** Returns the refresh token of a login for examples, which is created when the first example needs it. */
  exampleRefreshToken(): string {
    if (this.tokens.refreshable(this.#exampleToken) === undefined) {
      const login = { userId: defaultUserId, clientId: 'org.causeway.app.linux' }
      this.#exampleToken = this.tokens.issueTokens(login).refreshToken ?? ''
    }
    return this.#exampleToken
  }

  certificates(): { commonName: string; user: string | null }[] {
    return this.authority.issued.entries().map(([commonName, { authorizationId }]) => {
      const user = authorizationId === undefined ? undefined : this.tokens.userOf(authorizationId)
      return { commonName, user: user ?? null }
    })
  }

  readonly isRegistered = (clientId: string): boolean =>
    this.situation.knowsNoClient !== true &&
    (this.acceptsAnyClient ||
      this.addedClients.some(({ id }) => id === clientId) ||
      isRegisteredClient(clientId, this.#features3))

  readonly isRegisteredRedirect = (clientId: string, redirectUri: string): boolean =>
    (this.acceptsAnyClient && isUsableRedirect(redirectUri)) ||
    this.addedClients.some((client) => client.id === clientId && isRedirectOf(client, redirectUri)) ||
    isRegisteredRedirect(clientId, redirectUri, this.#features3)

  get #features3(): Portal3Features | undefined {
    return this.offers(3) ? this.version3.features : undefined
  }

  /** Returns the issuer in metadata and tokens: `iss` in redirects, or the origin of a portal that sends none. */
  tokenIssuer(origin: string): string {
    return this.issuerOf(origin) ?? origin
  }

  /** Returns the response modes of a client; undefined if the portal knows none and ignores the parameter. */
  responseModesOf(clientId: string): readonly string[] | undefined {
    if (this.#features3?.postsForms !== true) return undefined
    return /^(ios|android)$/.test(partsOf(clientId)?.platform ?? '') ? ['query'] : ['query', 'form_post']
  }

  /** Returns `iss` in redirects of a portal at this origin; undefined if the portal doesn't send it. */
  issuerOf(origin: string): string | undefined {
    const { issuer } = this.#features3 ?? portalFeatures(this.portal)
    if (issuer === 'none') return undefined
    return issuer === 'with slash' ? `${origin}/` : origin
  }

  /** The profiles of both API versions, as changed by the scenario. */
  shownProfiles(): Profile[] {
    return this.situation.profiles ?? this.profiles.get()
  }

  listedProfiles(): string {
    return this.#listedProfiles(this.shownProfiles(), this.portal)
  }

  readonly #listedProfiles = rememberLast((profiles: readonly Profile[], portal: PortalVersion) => {
    const { showsDefaultGateway } = portalFeatures(portal)
    const data = profiles
      .filter((profile) => profile.hidden !== true && isInVersion2(profile))
      .map(({ profile_id, display_name, default_gateway }) => ({
        profile_id,
        display_name,
        two_factor: false,
        default_gateway: showsDefaultGateway ? default_gateway : undefined,
      }))
    return JSON.stringify({ profile_list: { ok: true, data } })
  })

  shownMessages(): ShownMessage[] {
    return this.situation.systemMessages ?? this.systemMessages.get()
  }

  get tunnelStatus(): TunnelStatus {
    return this.tunnel?.status ?? { mode: 'none' }
  }

  /** Returns the remotes of a profile at this host. Without a tunnel they look real, but nothing listens there. */
  remotes({ default_gateway }: Profile, host: string): RemoteClasses {
    const places = () => remotesByClass(portalPorts.map((place) => ({ ...place, host })))
    return this.tunnel?.remotes(default_gateway === true, host) ?? places()
  }

  profileConfig(profileId: string, strategy: string | undefined): ProfileConfig | undefined {
    const { refusesProfiles, changeRemotes, changeConfig } = this.situation
    const profile = this.shownProfiles().find(
      (shown) => shown.profile_id === profileId && isInVersion2(shown),
    )
    if (profile === undefined || profile.hidden === true || refusesProfiles === true) return undefined
    const { persistence, secrets } = this.#environment
    const classes = this.remotes(profile, hostIn(this.#environment.origin()))
    const supported = portalFeatures(this.portal).supportsRemoteStrategy ? strategy : undefined
    const remotes = persistence.together(() =>
      chooseRemotes(classes, supported, () => secrets.nextNumber('remote')),
    )
    const config = profileConfig({
      caCertificate: this.authority.certificate,
      tlsCryptKey: this.tlsCryptKey,
      remotes: changeRemotes?.(remotes) ?? remotes,
    })
    return changeConfig?.(config, profileId) ?? config
  }

  issueKeyPair({ id, sessionEnd }: Authorization): KeyPair {
    const { certificate, private_key, commonName } = this.authority.issueClient(sessionEnd, id)
    if (this.#reportedInvalid !== undefined && this.#reportedInvalid.names === undefined)
      this.#refuseForNow(commonName)
    if (this.situation.mixesKeyPairs !== true) return { certificate, private_key }
    return { certificate, private_key: this.authority.issueClient(sessionEnd, id).private_key }
  }

  checkCertificate(commonName: string): CertificateCheck {
    const check = this.authority.check(commonName)
    if (!check.is_valid) return check
    const distrust = this.#reportedInvalid
    if (distrust !== undefined && (distrust.names?.has(commonName) ?? true)) {
      return { is_valid: false, reason: distrust.reason }
    }
    const { authorizationId } = this.authority.issued.get(commonName) ?? {}
    const sessionEnd = authorizationId === undefined ? undefined : this.tokens.sessionEnd(authorizationId)
    return sessionEnd !== undefined && this.#environment.clock.now() > sessionEnd
      ? { is_valid: false, reason: 'certificate_expired' }
      : check
  }

  newServerIdentity(): ServerIdentity {
    return {
      caCertificate: this.authority.certificate,
      server: this.authority.issueServer('mock-instance'),
      tlsCryptKey: this.tlsCryptKey,
    }
  }

  /** Never rejects: the status of the tunnel reports a failure. */
  async actOnTunnel(action: (typeof allTunnelActions)[number]): Promise<void> {
    if (action === 'move') await this.tunnel?.move()
    else if (action !== 'renew-authority') await this.tunnel?.act(action)
    else {
      this.revoke(undefined, 'client-connect')
      this.authority.renew()
      await this.tunnel?.changeIdentity(this.newServerIdentity())
    }
  }

  /** Revokes one certificate, or all without a name, also on the OpenVPN servers. Returns the revoked names. */
  revoke(name: string | undefined, refusedIn: RefusedIn): string[] {
    return this.authority.revoke(name).map(({ commonName, serialNumber }) => {
      this.tunnel?.refuse(serialNumber, refusedIn)
      return commonName
    })
  }

  /** Treats valid certificates, existing or all, as invalid until `revertScenario`; the OpenVPN servers refuse them. */
  reportInvalid(reason: CertificateReason, which: 'issued' | 'all'): void {
    const names = this.authority.issued.keys()
    this.#reportedInvalid = which === 'all' ? { reason } : { reason, names: new Set(names) }
    for (const name of names) this.#refuseForNow(name)
  }

  /** Disconnects the clients of all certificates from the OpenVPN servers, and removes all peers from WireGuard. */
  disconnectClients(): void {
    // Never rejects.
    for (const name of this.authority.issued.keys()) void this.tunnel?.disconnect(name)
    void this.version3.removePeers()
  }

  /** Ends all logins with their tokens and configurations, and disconnects their clients, which are refused from now on. */
  endLogins(): void {
    this.tokens.revoke('all')
    this.reportInvalid('certificate_missing', 'issued')
    this.disconnectClients()
  }

  reset(): void {
    this.userId = defaultUserId
    this.clients = []
    this.tokens.revoke('all')
    this.revoke(undefined, 'client-connect')
    this.version3.reset()
    this.settings = this.#started
    this.profiles.set([...seedProfiles])
    this.systemMessages.set(seedSystemMessages(this.#environment.clock.now()))
  }

  /** Resolves when the servers have followed all changes. Rejects if the last one failed. */
  async settled(): Promise<void> {
    await Promise.all([this.wireguard.settled(), this.networks.changes.settled()])
  }

  revertScenario(): void {
    this.situation = {}
    this.tokens.revertScenario()
    this.authorize.decided = undefined
    this.queuedAnswers.clear()
    this.#reportedInvalid = undefined
    this.tunnel?.refuseAll()
    const revoked = new Set(this.authority.revoked.keys())
    for (const serialNumber of this.#refusedForNow.splice(0)) {
      if (!revoked.has(serialNumber)) this.tunnel?.accept(serialNumber)
    }
    // The status of the tunnel reports a failure to start.
    void this.tunnel?.act('start')
    this.version3.revertScenario()
    this.networks.revert()
  }

  async useWireguard(wireguard: Wireguard): Promise<void> {
    this.wireguard = wireguard
    await this.version3.syncPeers()
  }

  useTunnel(tunnel: Tunnel): void {
    this.tunnel = tunnel
    for (const serialNumber of this.authority.revoked.keys()) tunnel.refuse(serialNumber, 'client-connect')
  }

  watchSessions(): void {
    this.#sessionCheck = setInterval(() => {
      void this.version3.withdrawEnded()
    }, sessionCheckMs)
  }

  async close(): Promise<void> {
    clearInterval(this.#sessionCheck)
    await Promise.all([this.tunnel?.close(), this.wireguard.close()])
  }

  #refuseForNow(commonName: string): void {
    const serialNumber = this.authority.issued.get(commonName)?.serialNumber
    if (serialNumber === undefined || this.#reportedInvalid === undefined) return
    this.#refusedForNow.push(serialNumber)
    // OpenVPN itself refuses for these reasons. For all others, its hooks ask the portal.
    const isInHandshake = /^certificate_(not_yet_valid|expired)$/.test(this.#reportedInvalid.reason)
    this.tunnel?.refuse(serialNumber, isInHandshake ? 'handshake' : 'client-connect')
  }
}
