import type { ErrorCode } from './error-codes'
import type english from './locales/en/errors.json'
import type terminal from './locales/en/terminal-errors.json'

/**
 * The details that the texts of a code name (`{{host}}`). Each error with this code has them; those with a question mark
 * only where they are known, or with some variants.
 */
export const errorDetails = {
  'usage/instance-needed': ['ids?'],
  'usage/profile-needed': ['profiles'],
  'http/insecure-url': ['host'],
  'http/unreachable': ['host', 'proxy?'],
  'http/tls-failed': ['host', 'reason', 'issuer?'],
  'http/timed-out': ['host'],
  'http/too-large': ['host'],
  'http/private-address': ['host'],
  'http/proxy-authentication': ['proxy'],
  'http/proxy-timed-out': ['host'],
  'http/authorities-unreadable': ['path', 'variable'],
  'discovery/not-found': ['host', 'tried?'],
  'discovery/not-json': ['host', 'tried?'],
  'discovery/no-vpn-api': ['host'],
  'discovery/unsupported-version': ['host', 'versions', 'wanted?'],
  'discovery/invalid-document': ['host'],
  'discovery/too-many-redirects': ['host'],
  'discovery/insecure-redirect': ['host'],
  'discovery/invalid-redirect': ['host'],
  'discovery/server-error': ['host', 'status', 'tried?'],
  'oauth/client-refused': ['instance', 'clientId'],
  'oauth/authorization-failed': ['instance?'],
  'oauth/invalid-token-response': ['host'],
  'oauth/server-error': ['host', 'status'],
  'service/busy': ['host'],
  'vpn-api/refused': ['host'],
  'vpn-api/profile-unavailable': ['profiles?'],
  'vpn-api/server-error': ['host', 'status'],
  'vpn-api/invalid-response': ['host?', 'unreadable?'],
  'certificate/clock-mismatch': ['notBefore', 'notAfter', 'now'],
  'certificate/refused': ['reason'],
  'secret-store/in-file': ['path'],
  'secret-store/failed': ['path?'],
  'profile-configuration/malformed': ['line'],
  'profile-configuration/forbidden-directive': ['line', 'directive?'],
  'profile-configuration/invalid-argument': ['line?', 'directive'],
  'profile-configuration/incomplete': ['directive?'],
  'wireguard/route-not-set': ['network'],
  'openvpn/option-refused': ['reason'],
  'openvpn/timed-out': ['seconds?'],
  'openvpn/too-old': ['version'],
  'helper/not-installed': ['path?'],
  'helper/refused': ['directive'],
  'attachments/refused': ['host'],
  'attachments/unavailable': ['host'],
  'attachments/not-offered': ['instance'],
  'attachments/unreadable': ['count'],
  'attachments/invalid-response': ['host'],
  'attachments/invalid-request': ['field'],
  'attachments/forbidden': ['host'],
  'attachments/file-missing': ['host'],
  'attachments/storage-refused': ['host', 'status'],
  'organizations/not-offered': ['instance'],
  'organizations/invalid-request': ['field'],
  'organizations/user-not-found': ['unreadable?'],
  'organizations/unauthorized': ['host'],
  'organizations/refused': ['host'],
  'organizations/invalid-response': ['host'],
  'content/not-offered': ['instance'],
  'content/invalid-request': ['parameter'],
  'content/refused': ['host'],
  'content/not-found': ['host'],
  'content/unavailable': ['host'],
  'content/invalid-response': ['host?', 'unreadable?'],
  'apps/unknown': ['app'],
  'apps/not-moved': ['pid'],
  'settings/unknown': ['names', 'near?'],
  'settings/invalid-value': ['name', 'allowed'],
  'settings/managed': ['name'],
  'policy/unusable': ['path', 'problem?'],
  'policy/invalid-file': ['path', 'problem?'],
  'data/damaged': ['instance?', 'movedTo?'],
  'data/unreadable': ['path'],
  'data/unwritable': ['path?'],
  'data/not-responding': ['path'],
  'connection/in-use': ['instance'],
  'connection/held-by-other': ['kind?', 'pid?', 'instance?', 'profileId?'],
  'session/over': ['instance'],
  'session/not-extended': ['instance'],
  'session/not-stored': ['instance'],
  'clock/wrong': ['instance', 'localTime', 'serverTime'],
  'app/ended-unexpectedly': ['program', 'startedAt', 'state'],
  'organization-list/invalid-document': ['unreadable?'],
  'organization-list/unknown-location': ['countries?'],
  'organization-list/one-at-a-time': ['instance'],
} as const satisfies Partial<Record<ErrorCode, readonly string[]>>

type Listed = typeof errorDetails
type Always<Name extends string> = Name extends `${string}?` ? never : Name
type DetailValue = string | number | readonly (string | number)[]

/** The details that an error with this code has at least. */
export type DetailsOf<Code extends ErrorCode> = Readonly<Record<string, unknown>> &
  (Code extends keyof Listed ? Readonly<Record<Always<Listed[Code][number]>, DetailValue>> : unknown)

type VariantIn<Texts, Code> = Code extends keyof Texts
  ? Texts[Code] extends { readonly variants: infer Variants }
    ? keyof Variants & string
    : never
  : never

/** The names of the sentences that a code has beside its plain one. */
export type VariantOf<Code extends ErrorCode> =
  | VariantIn<typeof english, Code>
  | VariantIn<typeof terminal, Code>

/** True where every error with this code has details. */
export type NeedsDetails<Code extends ErrorCode> = Code extends keyof Listed
  ? [Always<Listed[Code][number]>] extends [never]
    ? false
    : true
  : false
