import { type VpnTransport, vpnTransports } from '../profile'
import { z } from 'zod'
import { Collection, dropOldest } from '../../state/collection'
import type { Environment } from '../../state/environment'

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
export interface Configuration extends Kept {
  id: string
}

/** The maximum number of configurations. The oldest are dropped first. */
const maxConfigurations = 10_000

export class Configurations {
  readonly #kept: Collection<Kept>
  #lastSerial: number

  constructor({ persistence }: Pick<Environment, 'persistence'>) {
    this.#kept = new Collection(persistence, 'vpn3-configurations', configurationSchema)
    this.#lastSerial = Math.max(0, ...this.#kept.values().map(({ serial }) => serial))
  }

  get all(): Configuration[] {
    return this.#kept
      .entries()
      .map(([id, kept]) => ({ id, ...kept }))
      .sort((one, other) => one.serial - other.serial)
  }

  add(id: string, configuration: Omit<Kept, 'serial'>): void {
    dropOldest(this.#kept, maxConfigurations, ({ serial }) => serial)
    this.#lastSerial += 1
    this.#kept.set(id, { ...configuration, serial: this.#lastSerial })
  }

  remove(id: string): boolean {
    return this.#kept.delete(id)
  }

  clear(): void {
    this.#kept.clear()
  }
}

const openvpnProfile = 'application/x-openvpn-profile'
const wireguardProfile = 'application/x-wireguard-profile'
const proxyGuardProfile = 'application/x-wireguard+tcp-profile'

export const contentTypeOf: Record<VpnTransport, string> = {
  'openvpn+udp': openvpnProfile,
  'openvpn+tcp': openvpnProfile,
  'wireguard+udp': wireguardProfile,
  'wireguard+tcp': proxyGuardProfile,
}

/** Compares whole strings, as portals do; a header without any known type counts as none. */
function acceptedTypes(accept: string | undefined): string[] {
  const known = (accept ?? '')
    .split(',')
    .map((type) => type.trim())
    .filter((type) => Object.values(contentTypeOf).includes(type))
  return known.length === 0 ? [openvpnProfile, wireguardProfile] : known
}

const isTcp = (transport: VpnTransport) => transport.endsWith('+tcp')
const isOpenVpn = (transport: VpnTransport) => transport.startsWith('openvpn')

/** Returns the transport; undefined if profile and client have none in common (api-v3-facts.md, section 5). */
export function chooseTransport(given: {
  offered: readonly VpnTransport[]
  accept: string | undefined
  hasPublicKey: boolean
  prefersTcp: boolean
  rules: '3.6' | 'old'
}): VpnTransport | undefined {
  const accepted = acceptedTypes(given.accept)
  const possible = given.offered.filter(
    (transport) =>
      accepted.includes(contentTypeOf[transport]) &&
      (isOpenVpn(transport) || given.hasPublicKey) &&
      (given.rules === '3.6' || transport !== 'wireguard+tcp'),
  )
  if (!given.prefersTcp) return possible[0]
  return possible.find(isTcp) ?? possible[0]
}
