import type { Remote } from './remotes'
import type { KeyPair } from './certificate-authority'
import { rawKeyPair, rawPublicKey } from './ec-key'

const commonLines = 'dev tun,client,nobind,remote-cert-tls server,verb 3,server-poll-timeout 10'.split(',')
const remoteLine = ({ host, port, protocol }: Remote) => `remote ${host} ${port} ${protocol}`

const block = (name: string, ...lines: string[]) => [`<${name}>`, ...lines, `</${name}>`]

/** Returns the OpenVPN configuration of `/connect` (api-v3-facts.md, section 5.1). */
export function openvpnText(input: {
  caCertificate: string
  keyPair: KeyPair
  tlsCryptKey: string
  remotes: readonly Remote[]
  comments: readonly string[]
}): string {
  return [
    ...input.comments.map((comment) => `# ${comment}`),
    ...commonLines,
    'tls-version-min 1.3',
    'data-ciphers AES-256-GCM:CHACHA20-POLY1305',
    'reneg-sec 0',
    ...block('ca', input.caCertificate.trim()),
    ...block('cert', input.keyPair.certificate.trim()),
    ...block('key', input.keyPair.private_key.trim()),
    ...block('tls-crypt', '#', '# 2048 bit OpenVPN static key', '#', input.tlsCryptKey.trim()),
    ...input.remotes.map(remoteLine),
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

/** Returns the configuration of profile_config as portals write it: CRLF, no final line end. */
export function profileConfig(input: {
  caCertificate: string
  tlsCryptKey: string
  remotes: Remote[]
}): ProfileConfig {
  const lines = [
    '# OpenVPN client configuration',
    ...commonLines,
    'ncp-ciphers AES-256-GCM',
    'cipher AES-256-GCM',
    'reneg-sec 0',
    ...block('ca', ...input.caCertificate.trim().split('\n')),
    'tls-version-min 1.2',
    'tls-cipher TLS-ECDHE-RSA-WITH-AES-256-GCM-SHA384:TLS-ECDHE-ECDSA-WITH-AES-256-GCM-SHA384',
    ...block('tls-crypt', ...input.tlsCryptKey.trim().split('\n')),
    ...input.remotes.map(remoteLine),
  ]
  return { contentType: 'application/x-openvpn-profile', body: lines.join('\r\n') }
}

/** The MTU of configurations, which portals advise. */
export const wireguardMtu = 1392

export function wireguardPublicKey(privateBytes: Buffer): string {
  return rawPublicKey(rawKeyPair('x25519', privateBytes)).toString('base64')
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
  proxyEndpoint: string | undefined
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
