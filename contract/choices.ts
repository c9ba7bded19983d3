/**
 * Fixed values of the contract that views list or compare with. They are kept apart from the schemas because the page
 * builds the command schemas only when it runs its first command.
 */

const sortModes = ['mainpage', 'recent', 'week', 'unadmitted', 'editorial'] as const
const tweetIntervals = ['fresh', '3hours', 'week', 'month'] as const
const newsIntervals = ['popular', 'fresh'] as const
/** Parameter values of the content API in display order; the first is the documented default. */
export const contentChoices = {
  types: [0, 1, 2, 3, 4],
  sortModes,
  tweetLists: [1, 2, 3],
  tweetIntervals,
  newsIntervals,
} as const

/** The roles that can be assigned in an organization. Servers may have others. */
export const organizationRoles = ['Viewer', 'Editor', 'Admin'] as const
export type OrganizationRole = (typeof organizationRoles)[number]

/** Which apps use the tunnel: all of them, all but the listed ones, or only these. */
export const appsModes = ['all', 'except', 'only'] as const

/** The lines of an organization's address. Servers may have more. */
export const addressLines = ['address1', 'address2', 'city', 'zipCode', 'state', 'country'] as const
export type AddressLine = (typeof addressLines)[number]

/** What the helper sets DNS servers with. `resolv.conf` is the file itself; NRPT, Windows' table of rules for names. */
export const dnsWays = [
  'resolvectl',
  'resolvconf',
  'NetworkManager',
  'resolv.conf',
  'scutil',
  'NRPT',
] as const
export type DnsWay = (typeof dnsWays)[number]

/** The services around a VPN. */
export const serviceNames = ['attachments', 'content', 'organizations'] as const
export type ServiceName = (typeof serviceNames)[number]

/** The versions of the portal API that Causeway speaks, oldest first. */
export const apiVersions = [2, 3] as const
export type ApiVersion = (typeof apiVersions)[number]

/** Roles that the user of an instance can have at its services. */
export const serviceRoles = ['ADMINISTRATOR', 'CONTRIBUTOR', 'MEMBER'] as const
export type ServiceRole = (typeof serviceRoles)[number]

/** The settings of an instance, with their names in terminal options and in the `details.argument` of errors. */
export const instanceArguments = {
  name: 'name',
  clientId: 'client-id',
  api: 'api',
  attachments: 'attachments',
  content: 'content',
  organizations: 'organizations',
  userId: 'user-id',
  roles: 'roles',
} as const
export type InstanceSettingName = keyof typeof instanceArguments

/** Findings of the doctor (main/app/diagnostics/doctor.ts) that need no action, or another finding's. */
export const wellCodes = [
  'openvpn-found',
  'service-ready',
  'rights-of-service',
  'rights-of-helper',
  'rights-of-process',
  'rights-need-helper',
  'rights-need-service',
  'helper-ready',
  'tun-ready',
  'wireguard-kernel',
  'wireguard-built-in',
  'wireguard-slow',
  'wireguard-own',
  'wireguard-needs-helper',
  'wireguard-service',
  'key-store-ready',
  'dns-ready',
  'dns-all-names',
  'dns-missing',
  'nft-found',
  'session-ready',
  'updates-current',
  'updates-not-checked',
  'updates-off',
  'updates-not-configured',
  'proxy-none',
  'proxy-used',
  'policy-used',
  'disk-ready',
  'clock-plausible',
  'other-vpn-none',
  'apps-ready',
  'apps-running-only',
  'apps-not-offered',
  'name-found',
  'tcp-open',
  'tls-trusted',
  'answer-valid',
  'udp-passes',
  'check-failed',
] as const
/** Findings that need action. */
export const troubleCodes = [
  'openvpn-untried',
  'service-missing',
  'service-stopped',
  'service-without-helper',
  'service-not-for-you',
  'helper-missing',
  'helper-not-built',
  'helper-not-used',
  'helper-broken',
  'helper-asks-password',
  'tun-absent',
  'wireguard-missing',
  'wireguard-service-missing',
  'wireguard-service-off',
  'wireguard-service-incomplete',
  'wireguard-filtered',
  'tun-denied',
  'key-store-differs',
  'nft-missing',
  'session-without-display',
  'session-cannot-ask',
  'updates-available',
  'proxy-unusable',
  'policy-skipped',
  'policy-invalid',
  'policy-unusable',
  'tun-refused',
  'dns-immutable',
  'kill-switch-blocks',
  'other-vpn',
  'apps-missing',
  'disk-full',
  'clock-wrong',
  'clock-not-synchronized',
  'udp-not-tried',
  'check-unanswered',
] as const
/** Findings that their error explains. */
export const errorFindingCodes = [
  'openvpn-unusable',
  'key-store-unusable',
  'updates-refused',
  'service-unusable',
] as const
type FindingCode = (typeof wellCodes | typeof troubleCodes | typeof errorFindingCodes)[number]

/** Returns true for a finding with a sentence about what to do. */
export function hasRemedy(code: FindingCode): code is (typeof troubleCodes)[number] {
  return troubleCodes.some((each) => each === code)
}

/** Returns true for a finding with a sentence of its own. */
export function hasSentence(
  code: FindingCode,
): code is Exclude<FindingCode, (typeof errorFindingCodes)[number]> {
  return !errorFindingCodes.some((each) => each === code)
}

/** The values that sentences about findings put in, as far as a finding has none of that name. */
export const noFacts = {
  version: '',
  path: '',
  program: '',
  proxy: '',
  host: '',
  addresses: '',
  devices: '',
  missing: '',
  free: '',
  time: '',
} as const

/** Pages that a finding may offer, whose addresses main knows. */
export const helpPages = ['openvpn-download', 'macports'] as const
export type HelpPage = (typeof helpPages)[number]

export const findingNames = [
  'openvpn',
  'service',
  'rights',
  'helper',
  'tun-device',
  'wireguard',
  'key-store',
  'dns',
  'kill-switch',
  'session',
  'proxy',
  'updates',
  'policy',
  'disk',
  'clock',
  'other-vpn',
  'apps',
  'name',
  'tcp',
  'tls',
  'answer',
  'udp',
] as const
