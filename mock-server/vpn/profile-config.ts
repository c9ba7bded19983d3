import { createPrivateKey, createPublicKey } from 'node:crypto'
import type { Remote } from './remotes'
import type { KeyPair } from './certificate-authority'

/**
 * Returns the complete OpenVPN configuration of `/connect` (api-v3-facts.md, section 5.1), with certificate and key.
 * `comments` are its first lines, and the remotes its last.
 */
export function openvpnText(input: {
  caCertificate: string
  keyPair: KeyPair
  tlsCryptKey: string
  remotes: readonly Remote[]
  comments: readonly string[]
}): string {
  const block = (name: string, ...lines: string[]) => [`<${name}>`, ...lines, `</${name}>`]
  return [
    ...input.comments.map((comment) => `# ${comment}`),
    'dev tun',
    'client',
    'nobind',
    'remote-cert-tls server',
    'verb 3',
    'server-poll-timeout 10',
    'tls-version-min 1.3',
    'data-ciphers AES-256-GCM:CHACHA20-POLY1305',
    'reneg-sec 0',
    ...block('ca', input.caCertificate.trim()),
    ...block('cert', input.keyPair.certificate.trim()),
    ...block('key', input.keyPair.private_key.trim()),
    ...block('tls-crypt', '#', '# 2048 bit OpenVPN static key', '#', input.tlsCryptKey.trim()),
    ...input.remotes.map(({ host, port, protocol }) => `remote ${host} ${port} ${protocol}`),
  ].join('\n')
}

export const staticKeyBytes = 256

/** Returns the pre-shared key for tls-crypt made of these bytes, in the format of `openvpn --genkey secret`. */
export function staticKey(bytes: Buffer): string {
  const lines = bytes.toString('hex').match(/.{32}/g) ?? []
  return ['-----BEGIN OpenVPN Static key V1-----', ...lines, '-----END OpenVPN Static key V1-----', ''].join(
    '\n',
  )
}

export interface ProfileConfig {
  contentType: string
  body: string
}

/**
 * Returns the configuration of profile_config with the lines and order of portals: CRLF, no final line end, no certificate
 * and key.
 */
export function profileConfig(input: {
  caCertificate: string
  tlsCryptKey: string
  remotes: Remote[]
}): ProfileConfig {
  const lines = [
    '# OpenVPN client configuration',
    'dev tun',
    'client',
    'nobind',
    'remote-cert-tls server',
    'verb 3',
    'server-poll-timeout 10',
    'ncp-ciphers AES-256-GCM',
    'cipher AES-256-GCM',
    'reneg-sec 0',
    '<ca>',
    ...input.caCertificate.trim().split('\n'),
    '</ca>',
    'tls-version-min 1.2',
    'tls-cipher TLS-ECDHE-RSA-WITH-AES-256-GCM-SHA384:TLS-ECDHE-ECDSA-WITH-AES-256-GCM-SHA384',
    '<tls-crypt>',
    ...input.tlsCryptKey.trim().split('\n'),
    '</tls-crypt>',
    ...input.remotes.map(({ host, port, protocol }) => `remote ${host} ${port} ${protocol}`),
  ]
  return { contentType: 'application/x-openvpn-profile', body: lines.join('\r\n') }
}

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
