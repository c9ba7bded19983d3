import { z } from 'zod'

/**
 * Every error that a person or a script can meet, by its stable code. The renderer has a sentence for each in
 * every language, the terminal command an exit status (main/cli/exit-status.ts).
 */
export const errorCodes = [
  'internal/unexpected',
  'app/ended-unexpectedly',
  'usage/invalid-argument',
  'usage/unknown-instance',
  'usage/instance-needed',
  'usage/profile-needed',
  'usage/no-last-connection',

  'http/insecure-url',
  'http/unreachable',
  'http/tls-failed',
  'http/timed-out',
  'http/too-large',
  'http/private-address',
  'http/cancelled',

  'discovery/invalid-address',
  'discovery/insecure-address',
  'discovery/not-found',
  'discovery/not-json',
  'discovery/no-vpn-api',
  'discovery/unsupported-version',
  'discovery/invalid-document',
  'discovery/too-many-redirects',
  'discovery/insecure-redirect',
  'discovery/invalid-redirect',
  'discovery/server-error',

  'oauth/login-required',
  'oauth/access-denied',
  'oauth/client-refused',
  'oauth/authorization-failed',
  'oauth/cancelled',
  'oauth/timed-out',
  'oauth/issuer-mismatch',
  'oauth/invalid-callback',
  'oauth/code-refused',
  'oauth/invalid-token-response',
  'oauth/server-error',
  'oauth/browser-not-opened',

  'vpn-api/refused',
  'vpn-api/profile-unavailable',
  'vpn-api/server-error',
  'vpn-api/invalid-response',

  'certificate/none',
  'certificate/invalid',
  'certificate/clock-mismatch',
  'certificate/refused',

  'secret-store/unavailable',
  'secret-store/locked',
  'secret-store/failed',
  'secret-store/in-file',

  'profile-configuration/malformed',
  'profile-configuration/forbidden-directive',
  'profile-configuration/invalid-argument',
  'profile-configuration/incomplete',
  'profile-configuration/no-tcp-remote',

  'openvpn/not-found',
  'openvpn/too-old',
  'openvpn/not-permitted',
  'openvpn/certificate-rejected',
  'openvpn/authentication-failed',
  'openvpn/server-not-verified',
  'openvpn/unreachable',
  'openvpn/name-not-resolved',
  'openvpn/halted-by-server',
  'openvpn/configuration-refused',
  'openvpn/timed-out',
  'openvpn/stopped-unexpectedly',

  'connection/lost',
  'network/captive-portal',

  'helper/not-installed',
  'helper/dismissed',
  'helper/not-authorized',
  'helper/refused',
  'helper/failed',
  'helper/needed-for-kill-switch',
  'helper/kill-switch-failed',
  'helper/traffic-blocked',
  'helper/dns-not-set',
  'helper/repaired',
  'helper/service-missing',
  'helper/service-refused',
  'helper/powershell-refused',
  'helper/kill-switch-not-offered',

  'attachments/refused',
  'attachments/unavailable',
  'attachments/unreadable',
  'attachments/not-offered',
  'attachments/invalid-response',
  'attachments/invalid-request',
  'attachments/forbidden',
  'attachments/not-found',
  'attachments/not-a-file',
  'attachments/extension-needed',
  'attachments/file-unreadable',
  'attachments/file-changed',
  'attachments/file-exists',
  'attachments/file-unwritable',
  'attachments/file-missing',
  'attachments/storage-refused',
  'attachments/not-opened',
  'attachments/unsafe-link',

  'organizations/not-offered',
  'organizations/invalid-request',
  'organizations/unauthorized',
  'organizations/forbidden',
  'organizations/not-found',
  'organizations/user-not-found',
  'organizations/name-taken',
  'organizations/already-member',
  'organizations/last-administrator',
  'organizations/refused',
  'organizations/invalid-response',

  'content/not-offered',
  'content/invalid-request',
  'content/refused',
  'content/not-found',
  'content/unavailable',
  'content/invalid-response',

  'settings/unknown',
  'settings/invalid-value',
  'start-at-login/window-only',
  'start-at-login/refused',
  'data/damaged',
  'data/unreadable',
  'data/unwritable',
  'data/busy',

  'connection/held-by-other',

  'session/ends-soon',
  'session/over',
  'clock/wrong',
] as const

export type ErrorCode = (typeof errorCodes)[number]

/** An error as it crosses to the window and to other processes. */
export const errorReport = z.object({
  code: z.enum(errorCodes),
  /** A sentence in English; the renderer shows that of its own language for the code. */
  message: z.string(),
  /** Plain data that helps to act: never a token, key, code, or a whole answer of a server. */
  details: z.record(z.string(), z.unknown()).optional(),
})
export type ErrorReport = z.infer<typeof errorReport>
