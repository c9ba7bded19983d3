import { inline } from './loopback-server.testing'

/** Returns a profile configuration as portals write it: CRLF, no line end at the end, no certificate and key. */
export function portalProfile(options: {
  readonly ca: string
  readonly remotes: readonly string[]
  readonly tlsCrypt?: string
  readonly extra?: readonly string[]
}): string {
  return [
    '# OpenVPN Client Configuration',
    'dev tun',
    'client',
    'nobind',
    'remote-cert-tls server',
    'verb 3',
    'server-poll-timeout 10',
    'ncp-ciphers AES-256-GCM',
    'cipher AES-256-GCM',
    'reneg-sec 0',
    inline('ca', options.ca),
    'tls-version-min 1.2',
    ...(options.tlsCrypt === undefined ? [] : [inline('tls-crypt', options.tlsCrypt)]),
    ...(options.extra ?? []),
    ...options.remotes.map((remote) => `remote ${remote}`),
  ]
    .join('\n')
    .replace(/\r?\n/g, '\r\n')
}
