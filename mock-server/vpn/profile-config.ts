import type { Remote } from './remotes'
import { rawKeyPair, rawPublicKey } from './ec-key'

export const commonLines = 'dev tun,client,nobind,remote-cert-tls server,verb 3,server-poll-timeout 10'.split(
  ',',
)
export const remoteLine = ({ host, port, protocol }: Remote) => `remote ${host} ${port} ${protocol}`

export const block = (name: string, ...lines: string[]) => [`<${name}>`, ...lines, `</${name}>`]

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
