import type { VariantOf } from '../../../contract/error-details'

/** The reasons for a failed tunnel in OpenVPN's log; each has the error code of the same name. */
export type FailureKind =
  | 'certificate-rejected'
  | 'authentication-failed'
  | 'server-not-verified'
  | 'unreachable'
  | 'name-not-resolved'
  | 'halted-by-server'
  | 'configuration-refused'
  | 'no-shared-cipher'
  | 'weak-certificate'
  | 'device-unavailable'
  | 'not-permitted'
  | 'stopped-unexpectedly'

export type FailureVariant = VariantOf<
  | 'openvpn/configuration-refused'
  | 'openvpn/no-shared-cipher'
  | 'openvpn/weak-certificate'
  | 'openvpn/device-unavailable'
  | 'openvpn/not-permitted'
>

export interface LogFailure {
  readonly kind: FailureKind
  readonly variant?: FailureVariant
}

type Row = readonly [line: string, kind: FailureKind, variant?: FailureVariant]

/**
 * The lines of OpenVPN 2.5 to 2.7 that say why it can't go on, in order: the first that fits counts. `…` stands for any
 * text, also at the end of each line. docs/faults.md lists the same lines. A fatal line that isn't here is reported as it
 * is, as `stopped-unexpectedly`, and an options error as `configuration-refused`.
 */
export const logFailures: readonly Row[] = [
  ['AUTH: Received control message: AUTH_FAILED,Data channel cipher negotiation failed', 'no-shared-cipher'],
  ['OPTIONS ERROR: failed to negotiate cipher with server', 'no-shared-cipher'],
  ['ERROR: failed to negotiate cipher with peer', 'no-shared-cipher'],
  ['Error: pushed cipher not allowed', 'no-shared-cipher'],
  ['Error: negotiated cipher not allowed', 'no-shared-cipher'],
  ['Options error: --data-ciphers list contains unsupported ciphers', 'no-shared-cipher', 'unsupported'],
  ['Options error: NCP cipher list contains unsupported ciphers', 'no-shared-cipher', 'unsupported'],
  ["Cipher '…' not allowed", 'no-shared-cipher', 'unsupported'],
  ["Cipher '…' mode not supported", 'no-shared-cipher', 'unsupported'],
  ['Cipher … not supported', 'no-shared-cipher', 'unsupported'],
  ['Message hash algorithm … not found', 'no-shared-cipher', 'unsupported'],
  ['EVP cipher init', 'no-shared-cipher', 'unsupported'],
  ['Failed to set restricted TLS', 'no-shared-cipher', 'unsupported'],
  ['Failed to set default TLS cipher list', 'no-shared-cipher', 'unsupported'],
  ['Failed to set allowed TLS group list', 'no-shared-cipher', 'unsupported'],
  ['SSL_CTX_set_tmp_ecdh: cannot add curve', 'no-shared-cipher', 'unsupported'],
  ['OpenSSL: error:…:no shared cipher', 'no-shared-cipher', 'tls'],
  ['OpenSSL: error:…:no ciphers available', 'no-shared-cipher', 'tls'],
  ['OpenSSL: error:…:no suitable signature algorithm', 'no-shared-cipher', 'tls'],
  ['OpenSSL: error:…:no protocols available', 'no-shared-cipher', 'tls'],
  ['OpenSSL: error:…:unsupported protocol', 'no-shared-cipher', 'tls'],
  ['OpenSSL: error:…:unknown cipher returned', 'no-shared-cipher', 'tls'],
  ['OpenSSL: error:…:wrong cipher returned', 'no-shared-cipher', 'tls'],
  ['OpenSSL: error:…:wrong signature type', 'no-shared-cipher', 'tls'],
  ['OpenSSL: error:…:unsafe legacy renegotiation disabled', 'no-shared-cipher', 'tls'],
  ['OpenSSL: error:…alert handshake failure', 'no-shared-cipher', 'tls'],
  ['OpenSSL: error:…alert protocol version', 'no-shared-cipher', 'tls'],
  ['OpenSSL: error:…alert insufficient security', 'no-shared-cipher', 'tls'],
  ['VERIFY ERROR: …signature digest algorithm too weak', 'weak-certificate'],
  ['VERIFY ERROR: …key too weak', 'weak-certificate'],
  ['OpenSSL: error:…:dh key too small', 'weak-certificate'],
  ['OpenSSL: error:…:bad dh value', 'weak-certificate'],
  ['OpenSSL: error:…:ca md too weak', 'weak-certificate', 'own'],
  ['OpenSSL: error:…:ee key too small', 'weak-certificate', 'own'],
  ['OpenSSL: error:…:ca key too small', 'weak-certificate', 'own'],
  ['OpenSSL: error:…key values mismatch', 'configuration-refused', 'key-pair'],
  ['key values mismatch', 'configuration-refused', 'key-pair'],
  ['Private key does not match the certificate', 'configuration-refused', 'key-pair'],
  ['Options error: Unrecognized option', 'configuration-refused', 'unknown-option'],
  ['Options error: Compression', 'configuration-refused', 'framing'],
  ['Options error: OpenVPN is compiled without', 'configuration-refused', 'framing'],
  ['Options error: ', 'configuration-refused'],
  ['Cannot load CA certificate file', 'configuration-refused'],
  ['Cannot load inline certificate file', 'configuration-refused'],
  ['Cannot load certificate file', 'configuration-refused'],
  ['Cannot load private key file', 'configuration-refused'],
  ['Cannot load extra-certs file', 'configuration-refused'],
  ['Cannot add certificate to certificate chain', 'configuration-refused'],
  ['Cannot use certificate', 'configuration-refused'],
  ['Cannot use private key', 'configuration-refused'],
  ['Insufficient key material or header text not found', 'configuration-refused'],
  ['Footer text not found in file', 'configuration-refused'],
  ['Non-Hex character', 'configuration-refused'],
  ['Key file … insufficient key material', 'configuration-refused'],
  ['ERROR: Endtag … missing', 'configuration-refused'],
  ['ERROR: Invalid cert profile', 'configuration-refused'],
  ['ERROR: tls-auth enabled, but no valid --auth algorithm', 'configuration-refused'],
  ['ERROR: Failed retrieving username or password', 'configuration-refused'],
  ['ERROR: --dev tun also requires --ifconfig', 'configuration-refused'],
  ['There is a problem in your selection of --ifconfig endpoints', 'configuration-refused'],
  ['No usable connection profiles are present', 'configuration-refused'],
  ['invalid --mtu-disc type', 'configuration-refused'],
  ['ERROR: Cannot ioctl TUNSETIFF…: Operation not permitted', 'not-permitted', 'system'],
  ['ERROR: Cannot ioctl TUNSETIFF…: Permission denied', 'not-permitted', 'system'],
  ['ERROR: Cannot open TUN/TAP dev …: Operation not permitted', 'not-permitted', 'system'],
  ['ERROR: Cannot open TUN/TAP dev …: Permission denied', 'not-permitted', 'system'],
  ['sitnl_send: …Operation not permitted', 'not-permitted', 'system'],
  ['ERROR:  Wintun requires SYSTEM privileges', 'not-permitted', 'system'],
  ['ERROR: Cannot ioctl TUNSETIFF…: Device or resource busy', 'device-unavailable', 'busy'],
  ["Linux can't add IPv6 to interface", 'device-unavailable', 'ipv6'],
  ["Linux can't add IP to interface", 'device-unavailable', 'address'],
  ["Linux can't bring … up", 'device-unavailable', 'address'],
  ["Linux can't set mtu", 'device-unavailable', 'address'],
  ['ERROR: Cannot ioctl TUNSETIFF', 'device-unavailable'],
  ['ERROR: Cannot open TUN', 'device-unavailable'],
  ['Cannot allocate TUN/TAP dev dynamically', 'device-unavailable'],
  ['Cannot allocate DCO dev dynamically', 'device-unavailable'],
  ['Cannot open utun device', 'device-unavailable'],
  ['Error retrieving utun interface name', 'device-unavailable'],
  ['DCO: cannot retrieve ifindex', 'device-unavailable'],
  ['Cannot create netlink socket', 'device-unavailable'],
  ['Cannot connect to generic netlink', 'device-unavailable'],
  ['Impossible to install key material in DCO', 'device-unavailable'],
  ['There are no TAP-Windows', 'device-unavailable', 'driver'],
  ['All … adapters on this system are currently in use', 'device-unavailable', 'driver'],
  ["Adapter '…' not found", 'device-unavailable', 'driver'],
  ["Adapter '…' is using", 'device-unavailable', 'driver'],
  ["TAP-Windows adapter '…' not found", 'device-unavailable', 'driver'],
  ['ERROR:  This version of … requires a TAP-Windows driver', 'device-unavailable', 'driver'],
  ['ERROR: The TAP-Windows driver rejected', 'device-unavailable', 'driver'],
  ['CreateFile failed on', 'device-unavailable', 'driver'],
  ['Failed to open … adapter', 'device-unavailable', 'driver'],
]

const patterns = logFailures.map(([line, kind, variant]): readonly [RegExp, LogFailure] => [
  new RegExp(`^${line.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('…', '.*')}`),
  variant === undefined ? { kind } : { kind, variant },
])

/** Returns the failure that a line of the log means, without its timestamp; undefined for every other line. */
export function logFailure(line: string): LogFailure | undefined {
  return patterns.find(([pattern]) => pattern.test(line))?.[1]
}
