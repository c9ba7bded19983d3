import type { KeyPair } from '../certificate-authority'
import type { Remote } from '../remotes'

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
