import type { Remote } from './remotes'

/** An answer of profile_config. */
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
