/**
 * The fixed words of the contract that a view lists or looks for. Apart from its schemas: the page builds those of a
 * command when the first one is run.
 */

const sortModes = ['mainpage', 'recent', 'week', 'unadmitted', 'editorial'] as const
const tweetIntervals = ['fresh', '3hours', 'week', 'month'] as const
const newsIntervals = ['popular', 'fresh'] as const
/** What the calls take, in the order in which it is offered; the first is the document's default. */
export const contentChoices = {
  types: [0, 1, 2, 3, 4],
  sortModes,
  tweetLists: [1, 2, 3],
  tweetIntervals,
  newsIntervals,
} as const

export const organizationRoles = ['Viewer', 'Editor', 'Admin'] as const
export const addressLines = ['address1', 'address2', 'city', 'zipCode', 'state', 'country'] as const
export type AddressLine = (typeof addressLines)[number]

/** The services around a VPN. */
export const serviceNames = ['attachments', 'content', 'organizations'] as const
export type ServiceName = (typeof serviceNames)[number]

/** Who the user of an instance is to its services. */
export const serviceRoles = ['ADMINISTRATOR', 'CONTRIBUTOR', 'MEMBER'] as const
export type ServiceRole = (typeof serviceRoles)[number]

/** What the user sets of an instance, and how the terminal's options and `details.argument` of an error name it. */
export const instanceArguments = {
  clientId: 'client-id',
  attachments: 'attachments',
  content: 'content',
  organizations: 'organizations',
  userId: 'user-id',
  roles: 'roles',
} as const
export type InstanceSettingName = keyof typeof instanceArguments

/** What the doctor can find (main/app/diagnostics/doctor.ts) where all is well. */
export const wellCodes = [
  'openvpn-found',
  'service-ready',
  'rights-of-service',
  'rights-of-helper',
  'rights-of-process',
  'helper-ready',
  'tun-ready',
  'key-store-ready',
  'dns-ready',
  'nft-found',
] as const
/** And where there is something to do. */
export const troubleCodes = [
  'openvpn-unusable',
  'service-missing',
  'service-without-powershell',
  'service-not-for-you',
  'rights-need-helper',
  'rights-need-service',
  'helper-missing',
  'helper-not-built',
  'helper-missing-macos',
  'helper-not-used',
  'tun-absent',
  'tun-denied',
  'key-store-differs',
  'key-store-unusable',
  'dns-missing',
  'nft-missing',
] as const
export type TroubleCode = (typeof troubleCodes)[number]
export type FindingCode = (typeof wellCodes)[number] | TroubleCode

export const findingNames = [
  'openvpn',
  'service',
  'rights',
  'helper',
  'tun-device',
  'key-store',
  'dns',
  'kill-switch',
] as const
export type FindingName = (typeof findingNames)[number]
