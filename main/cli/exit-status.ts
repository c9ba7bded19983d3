import type { ErrorCode } from '../../contract/error-codes'

/** The exit status of a `connect` that a signal or another process ended before it was up, as a shell reports Ctrl-C. */
export const cancelledStatus = 130

/**
 * Returns the exit status for an error (docs/terminal.md): 1 failed, 2 wrong usage, 3 login required or refused, 4 not reachable,
 * 5 refused by the server, 6 invalid answer of the server, 7 OpenVPN missing, not permitted, or failed.
 */
export function exitStatus(code: ErrorCode): number {
  return exceptions[code] ?? byArea[code.slice(0, code.indexOf('/'))] ?? 1
}

/**
 * The same in sysexits.h, for units: systemd has the names of init scripts for 2 to 7, and calls a missing login (3) "NOTIMPLEMENTED".
 */
export const sysexits: Readonly<Record<number, number>> = { 2: 64, 3: 77, 4: 68, 5: 69, 6: 76, 7: 71 }

const byArea: Readonly<Record<string, number>> = {
  usage: 2,
  settings: 2,
  http: 4,
  network: 4,
  discovery: 6,
  'organization-list': 2,
  oauth: 3,
  service: 5,
  'vpn-api': 5,
  attachments: 5,
  content: 5,
  organizations: 5,
  'profile-configuration': 6,
  openvpn: 7,
  wireguard: 7,
  proxyguard: 7,
  helper: 7,
  session: 3,
}

const exceptions: Partial<Record<ErrorCode, number>> = {
  'http/tls-too-old': 6,
  'http/too-large': 6,
  'http/insecure-url': 6,
  'http/private-address': 6,
  'http/cancelled': 1,
  'discovery/invalid-address': 2,
  'discovery/insecure-address': 2,
  'discovery/server-error': 5,
  'organization-list/unavailable': 5,
  'organization-list/invalid-signature': 6,
  'organization-list/invalid-document': 6,
  'organization-list/rolled-back': 6,
  'oauth/invalid-token-response': 6,
  'oauth/server-error': 5,
  'vpn-api/invalid-response': 6,
  'vpn-api/no-messages': 2,
  'attachments/invalid-response': 6,
  'attachments/not-offered': 2,
  'attachments/invalid-request': 2,
  'attachments/not-a-file': 2,
  'attachments/extension-needed': 2,
  'attachments/file-unreadable': 1,
  'attachments/file-changed': 1,
  'attachments/not-opened': 1,
  'attachments/unsafe-link': 6,
  'attachments/file-exists': 1,
  'attachments/file-unwritable': 1,
  'content/not-offered': 2,
  'organizations/not-offered': 2,
  'organizations/invalid-request': 2,
  'organizations/unauthorized': 3,
  'organizations/invalid-response': 6,
  'content/invalid-request': 2,
  'content/invalid-response': 6,
  'apps/unknown': 2,
  'certificate/invalid': 6,
  'certificate/refused': 5,
  'certificate/not-managed': 2,
  'profile-configuration/no-tcp-remote': 7,
  'session/not-extended': 1,
  'wireguard/no-answer': 4,
  'wireguard/blocked': 4,
  'wireguard/unreachable': 4,
  'session/not-stored': 1,
  'connection/lost': 7,
  'connection/ended-by-service': 5,
}
