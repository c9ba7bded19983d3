import { createPrivateKey, createPublicKey } from 'node:crypto'

export const x25519KeyBytes = 32

/** The DER of a PKCS#8 X25519 key (RFC 8410) before the bytes of the key. */
const pkcs8Prefix = Buffer.from('302e020100300506032b656e04220420', 'hex')

/** The MTU of configurations, which portals advise. */
export const wireguardMtu = 1392

/** Returns the WireGuard public key, in base64, that belongs to these private bytes. */
export function wireguardPublicKey(privateBytes: Buffer): string {
  const key = createPrivateKey({
    key: Buffer.concat([pkcs8Prefix, privateBytes]),
    format: 'der',
    type: 'pkcs8',
  })
  return createPublicKey(key)
    .export({ format: 'der', type: 'spki' })
    .subarray(-x25519KeyBytes)
    .toString('base64')
}

interface WireguardConfig {
  addresses: readonly string[]
  /** Servers and search domains. */
  dns: readonly string[]
  serverPublicKey: string
  allowedIps: readonly string[]
  endpoint: string
  hasKeepalive: boolean
  /** For WireGuard over TCP. */
  proxyEndpoint?: string
}

/** Returns the WireGuard configuration of `/connect` (api-v3-facts.md, section 5.2), without the client's private key. */
export function wireguardText(config: WireguardConfig): string {
  const { dns, proxyEndpoint } = config
  return [
    '[Interface]',
    `MTU = ${wireguardMtu}`,
    `Address = ${config.addresses.join(',')}`,
    ...(dns.length === 0 ? [] : [`DNS = ${dns.join(',')}`]),
    '',
    '[Peer]',
    `PublicKey = ${config.serverPublicKey}`,
    `AllowedIPs = ${config.allowedIps.join(',')}`,
    `Endpoint = ${config.endpoint}`,
    ...(proxyEndpoint === undefined ? [] : [`ProxyEndpoint = ${proxyEndpoint}`]),
    ...(config.hasKeepalive ? ['PersistentKeepalive = 25'] : []),
  ].join('\n')
}
