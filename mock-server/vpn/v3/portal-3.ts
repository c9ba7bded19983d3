import { z } from 'zod'
import { type Environment, secretOf } from '../../state/environment'
import { type ListedProfile3, type Profile, transportsOf, type VpnTransport, vpnTransports } from '../profile'
import { oneOf, type Remote, type RemoteClasses } from '../remotes'
import { hostIn } from '../../http/origin'
import { Refusal } from '../../http/refusal'
import type { ConnectAnswer, PortalSettings, Situation } from '../situation'
import type { Authorization, TokenStore } from '../token-store'
import type { CertificateAuthority } from '../certificate-authority'
import { rawKeyBytes } from '../ec-key'
import type { RefusedIn } from '../tunnel/refusals'
import type { Tunnel } from '../tunnel/tunnel-switch'
import type { Wireguard } from '../wireguard/wireguard'
import {
  block,
  commonLines,
  type ProfileConfig,
  remoteLine,
  wireguardMtu,
  wireguardPublicKey,
} from '../profile-config'
import { type Portal3Features, portal3Features } from '../portal-version'
import { Collection, dropOldest } from '../../state/collection'

interface ConnectRequest {
  profileId: string
  publicKey: string | undefined
  prefersTcp: boolean
  accept: string | undefined
  origin: string
}

type OpenVpnTransport = 'openvpn+udp' | 'openvpn+tcp'

/** The last numbers of addresses for WireGuard clients. */
const clientNumbers = { first: 2, last: 254 }

/** What a portal has for both versions of the API. */
interface SharedPortal {
  readonly situation: Situation
  readonly settings: PortalSettings
  readonly shownSettings: PortalSettings
  readonly tokens: TokenStore
  readonly authority: CertificateAuthority
  readonly tlsCryptKey: string
  readonly tunnel: Tunnel | undefined
  readonly wireguard: Wireguard
  shownProfiles(): Profile[]
  remotes(profile: Profile, host: string): RemoteClasses
  revoke(name: string, refusedIn: RefusedIn): void
}

/** The portal's side of version 3 of the API (api-v3-facts.md, sections 4 to 6). */
export class Portal3 {
  readonly #environment: Environment
  readonly #shared: SharedPortal
  readonly #kept: Collection<Kept>
  #lastSerial: number
  readonly wireguardKey: Buffer
  /** The public keys that the WireGuard server doesn't know although their configurations are in use. */
  #removedPeers = new Set<string>()

  constructor(environment: Environment, shared: SharedPortal) {
    this.#environment = environment
    this.#shared = shared
    this.#kept = new Collection(environment.persistence, 'vpn3-configurations', configurationSchema)
    this.#lastSerial = Math.max(0, ...this.#kept.values().map(({ serial }) => serial))
    this.wireguardKey = secretOf(environment, 'vpn3-wireguard-key', 'wireguard-key', rawKeyBytes)
  }

  get features(): Portal3Features {
    return portal3Features(this.#shared.settings.portalVersion)
  }

  /** The configurations whose sessions have not ended, oldest first. */
  get configurations(): Configuration[] {
    return this.#all.filter((configuration) => this.#isInSession(configuration))
  }

  /** Withdraws the configurations whose sessions have ended, and disconnects their clients, as a portal's daemon does. */
  async withdrawEnded(): Promise<void> {
    await this.withdraw(this.#all.filter((configuration) => !this.#isInSession(configuration)))
  }

  /** Removes the peers so far from the WireGuard server until `revertScenario`, silently. */
  removePeers(): Promise<void> {
    this.#removedPeers = new Set(this.configurations.map(({ id }) => id))
    return this.syncPeers()
  }

  revertScenario(): void {
    this.#removedPeers.clear()
    void this.#shared.wireguard.setFaults({})
    void this.syncPeers()
  }

  /** Gives the WireGuard server the configurations in use. Never rejects. */
  syncPeers(): Promise<void> {
    const peers = this.configurations.flatMap(({ id, client }) =>
      client === undefined || this.#removedPeers.has(id) ? [] : [[id, client] as const],
    )
    return this.#shared.wireguard.setPeers(new Map(peers))
  }

  info(): object {
    const profiles = this.#shared
      .shownProfiles()
      .filter(({ hidden }) => hidden !== true)
      .map((profile) => this.#listed(profile))
    return { info: { profile_list: this.#shared.situation.changeInfo?.(profiles) ?? profiles } }
  }

  /** Withdraws what `/connect` replaces, whatever its parameters: by login, by key, above the maximum. Rejects with a Refusal. */
  async makeRoom(authorization: Authorization, publicKey: string | undefined): Promise<void> {
    const { userId } = authorization
    await this.withdraw(this.#replacedBy(authorization, publicKey))
    const max = this.#shared.shownSettings.maxConfigurations
    if (max === 0) throw new Refusal(403, 'no API configuration downloads allowed')
    const own = this.configurations.filter((configuration) => configuration.userId === userId)
    await this.withdraw(own.slice(0, Math.max(0, own.length - max + 1)))
  }

  /** Rejects with a Refusal. */
  async connect(authorization: Authorization, request: ConnectRequest): Promise<ConnectAnswer> {
    const { changeConfig, changeConnect, refusesConnect, refusesProfiles } = this.#shared.situation
    if (refusesConnect !== undefined) throw new Refusal(refusesConnect.status, refusesConnect.error)
    const { profileId } = request
    const profile = this.#shared
      .shownProfiles()
      .find(({ profile_id, hidden }) => profile_id === profileId && hidden !== true)
    if (profile === undefined || refusesProfiles === true) throw new Refusal(404, 'no such "profile_id"')
    const transport = chooseTransport(this.#transportsOf(profile), request, this.features.hasProxyGuard)
    if (transport === undefined) throw new Refusal(406, 'no common VPN protocol')
    // Another call may have been answered meanwhile, because making room waits for the servers.
    const replaced = this.withdraw(this.#replacedBy(authorization, request.publicKey))
    const used = new Set(this.#all.map(({ client }) => client))
    let client = clientNumbers.first
    while (used.has(client)) client += 1
    if (client > clientNumbers.last && transport.startsWith('wireguard'))
      throw new Refusal(500, '/connect failed: no free IP address')
    const { persistence } = this.#environment
    const config = persistence.together(() => {
      const kept = { authorizationId: authorization.id, userId: authorization.userId, profileId, transport }
      if (isOpenVpn(transport)) {
        const [commonName, text] = this.#openvpn(authorization, profile, transport, request.origin)
        this.#add(commonName, kept)
        return text
      }
      const { publicKey = '' } = request
      this.#removedPeers.delete(publicKey)
      this.#add(publicKey, { ...kept, client })
      return this.#wireguard(profile, transport, client)
    })
    await Promise.all([replaced, this.syncPeers()])
    const changed = changeConfig?.(config, profileId) ?? config
    const answer = { ...changed, expires: authorization.sessionEnd }
    return changeConnect?.(answer) ?? answer
  }

  async disconnect({ id }: Authorization): Promise<void> {
    await this.withdraw(this.#all.filter(({ authorizationId }) => authorizationId === id))
    const { shownSettings, tokens } = this.#shared
    if (shownSettings.deleteAuthorizationOnDisconnect) tokens.end(id)
  }

  async withdraw(configurations: readonly Configuration[]): Promise<void> {
    const names = configurations.flatMap(({ id, transport }) => {
      this.#kept.delete(id)
      return isOpenVpn(transport) ? [id] : []
    })
    for (const name of names) this.#shared.revoke(name, 'client-connect')
    await Promise.all([this.syncPeers(), ...names.map((name) => this.#shared.tunnel?.disconnect(name))])
  }

  reset(): void {
    this.#kept.clear()
    void this.syncPeers()
  }

  get #all(): Configuration[] {
    return this.#kept
      .entries()
      .map(([id, kept]) => ({ id, ...kept }))
      .sort((one, other) => one.serial - other.serial)
  }

  #replacedBy({ id, userId }: Authorization, publicKey: string | undefined): Configuration[] {
    return this.#all.filter(
      (configuration) =>
        configuration.authorizationId === id ||
        (this.features.removesSameKey && configuration.userId === userId && configuration.id === publicKey),
    )
  }

  #add(id: string, configuration: Omit<Kept, 'serial'>): void {
    dropOldest(this.#kept, maxConfigurations, ({ serial }) => serial)
    this.#lastSerial += 1
    this.#kept.set(id, { ...configuration, serial: this.#lastSerial })
  }

  #isInSession({ authorizationId }: Configuration): boolean {
    const end = this.#shared.tokens.sessionEnd(authorizationId)
    return end !== undefined && this.#environment.clock.now() < end
  }

  #transportsOf(profile: Profile): VpnTransport[] {
    const { hasProxyGuard } = this.features
    return transportsOf(profile).filter((transport) => hasProxyGuard || transport !== 'wireguard+tcp')
  }

  #listed(profile: Profile): ListedProfile3 {
    const { features } = this
    const { dns_search_domain_list = [], profile_priority } = profile
    const transports = this.#transportsOf(profile)
    const protocols = transports.map((transport) => (isOpenVpn(transport) ? 'openvpn' : 'wireguard'))
    return {
      profile_id: profile.profile_id,
      display_name: englishOf(profile.display_name),
      vpn_proto_list: [...new Set(protocols)],
      default_gateway: profile.default_gateway === true,
      dns_search_domain_list:
        features.showsSearchDomains && dns_search_domain_list.length > 0 ? dns_search_domain_list : undefined,
      vpn_proto_transport_list: features.showsTransports ? transports : undefined,
      profile_priority: features.showsPriority ? profile_priority : undefined,
    }
  }

  /** Returns the common name of a new certificate, and its configuration (api-v3-facts.md, section 5.1). */
  #openvpn(
    { id, sessionEnd }: Authorization,
    profile: Profile,
    transport: OpenVpnTransport,
    origin: string,
  ): [commonName: string, ProfileConfig] {
    const { authority, situation, tlsCryptKey } = this.#shared
    const { commonName, certificate, private_key } = authority.issueClient(sessionEnd, id, 'Ed25519')
    const remotes = this.#remotes(profile, transport, origin)
    const comments = [
      `# Portal: ${origin}/`,
      `# Profile: ${englishOf(profile.display_name)} (${profile.profile_id})`,
      `# Expires: ${sessionEnd.toISOString()}`,
    ]
    const lines = [
      ...(this.features.writesComments ? comments : []),
      ...commonLines,
      'tls-version-min 1.3',
      'data-ciphers AES-256-GCM:CHACHA20-POLY1305',
      'reneg-sec 0',
      ...block('ca', authority.certificate.trim()),
      ...block('cert', certificate.trim()),
      ...block('key', private_key.trim()),
      ...block('tls-crypt', '#', '# 2048 bit OpenVPN static key', '#', tlsCryptKey.trim()),
      ...(situation.changeRemotes?.(remotes) ?? remotes).map(remoteLine),
    ]
    return [commonName, { contentType: contentTypeOf[transport], body: lines.join('\n') }]
  }

  /** One ordinary and one special remote of each transport, chosen at random. */
  #remotes(profile: Profile, transport: OpenVpnTransport, origin: string): Remote[] {
    const { normal, special } = this.#shared.remotes(profile, hostIn(origin))
    const offered = transportsOf(profile)
    const random = () => this.#environment.secrets.nextNumber('remote')
    const both = (protocol: 'udp' | 'tcp') =>
      offered.includes(`openvpn+${protocol}`)
        ? [...oneOf(normal[protocol], random), ...oneOf(special[protocol], random)]
        : []
    const [udp, tcp] = [both('udp'), both('tcp')]
    return transport === 'openvpn+tcp' ? [...tcp, ...udp] : [...udp, ...tcp]
  }

  /** Returns a configuration without the client's private key (api-v3-facts.md, section 5.2). */
  #wireguard(profile: Profile, transport: VpnTransport, client: number): ProfileConfig {
    const { wireguard } = this.#shared
    const { behind, clients, dns } = wireguard.network
    const isFull = profile.default_gateway === true
    const searchDomains = profile.dns_search_domain_list ?? []
    const isOverTcp = transport === 'wireguard+tcp'
    const allowedIps =
      isFull && wireguard.takesAllTraffic
        ? ['0.0.0.0/0', '::/0']
        : [...behind, `${clients.prefix}.0/24`, `${clients.prefix6}/64`]
    const lines = [
      '[Interface]',
      `MTU = ${wireguardMtu}`,
      `Address = ${clients.prefix}.${client}/24,${clients.prefix6}${client.toString(16)}/64`,
      ...(isFull || searchDomains.length > 0 ? [`DNS = ${[...dns, ...searchDomains].join(',')}`] : []),
      '',
      '[Peer]',
      `PublicKey = ${wireguardPublicKey(this.wireguardKey)}`,
      `AllowedIPs = ${allowedIps.join(',')}`,
      `Endpoint = ${isOverTcp ? '127.0.0.1:51820' : wireguard.endpoint}`,
      ...(isOverTcp ? [`ProxyEndpoint = ${wireguard.proxyEndpoint}`] : []),
      ...(this.features.setsKeepalive ? ['PersistentKeepalive = 25'] : []),
    ]
    return { contentType: contentTypeOf[transport], body: lines.join('\n') }
  }
}

/** Returns the English text of a localized value. Portals of version 3 send only a string. */
function englishOf(value: Profile['display_name']): string {
  return typeof value === 'string' ? value : (value.en ?? Object.values(value)[0] ?? '')
}

const configurationSchema = z.object({
  authorizationId: z.string(),
  userId: z.string(),
  profileId: z.string(),
  transport: z.enum(vpnTransports),
  /** The last number of the client's addresses in WireGuard. */
  client: z.int().exactOptional(),
  /** A serial number, which orders configurations with the same time. */
  serial: z.int(),
})
type Kept = z.infer<typeof configurationSchema>

/** A configuration issued by `/connect`, stored by its common name (OpenVPN) or public key (WireGuard). */
interface Configuration extends Kept {
  id: string
}

/** The maximum number of configurations. The oldest are dropped first. */
const maxConfigurations = 10_000

const contentTypeOf: Record<VpnTransport, string> = {
  'openvpn+udp': 'application/x-openvpn-profile',
  'openvpn+tcp': 'application/x-openvpn-profile',
  'wireguard+udp': 'application/x-wireguard-profile',
  'wireguard+tcp': 'application/x-wireguard+tcp-profile',
}

/** Returns true for the transports of OpenVPN, which narrows their type. */
const isOpenVpn = (transport: VpnTransport): transport is OpenVpnTransport => transport.startsWith('openvpn')

/** Returns the transport; undefined if profile and client have none in common (api-v3-facts.md, section 5). */
function chooseTransport(
  offered: readonly VpnTransport[],
  { accept, publicKey, prefersTcp }: ConnectRequest,
  hasProxyGuard: boolean,
): VpnTransport | undefined {
  // Compares whole strings, as portals do; a header without any known type counts as none.
  const types = (accept ?? '').split(',').map((type) => type.trim())
  const known = types.filter(
    (type) =>
      Object.values(contentTypeOf).includes(type) &&
      (hasProxyGuard || type !== contentTypeOf['wireguard+tcp']),
  )
  const accepted = known.length > 0 ? known : [contentTypeOf['openvpn+udp'], contentTypeOf['wireguard+udp']]
  const possible = offered.filter(
    (transport) =>
      accepted.includes(contentTypeOf[transport]) && (isOpenVpn(transport) || publicKey !== undefined),
  )
  return (prefersTcp ? possible.find((transport) => transport.endsWith('+tcp')) : undefined) ?? possible[0]
}
