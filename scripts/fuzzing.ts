import { isNightly } from './nightly-tests'

/** Inputs that are fuzzed by one test file, each with so many cases. */
interface Suite {
  readonly file: string
  /** Cases for every change, always the same. */
  readonly each: number
  /** Cases each night, with a new seed. */
  readonly nightly: number
  readonly what: readonly string[]
  /** Why there are fewer than {@link enough} each night. */
  readonly why?: string
}

/** Cases of a night for an input of which thousands are read in a second. */
export const enough = 50_000

/** Everything that is fuzzed in TypeScript. Docs/testing.md has the table, and the nightly run these files. */
export const suites = [
  {
    file: 'main/any-input.test.ts',
    each: 200,
    nightly: enough,
    what: [
      'the discovery document',
      'the profiles of version 3',
      'a configuration of version 3',
      'the answers of version 2',
      'the list of servers',
      'the list of organizations',
      'the feed of updates',
      'a public key of minisign',
      'a signature of minisign',
      'the source of a list',
      'the callback of a login',
      'a message of the helper',
      'a line of OpenVPN’s log',
      'options that a server pushes',
      'a configuration of OpenVPN',
      'a configuration of WireGuard',
      'the messages of OpenVPN’s service on Windows',
      'the messages of the tunnel lock',
      'a policy',
      'the settings file, and a value for each setting',
      'the proxies of the system',
      'times in headers',
      'the answers of attachments',
      'the records of news and organizations',
    ],
  },
  {
    file: 'main/commands/dispatch.test.ts',
    each: 500,
    nightly: 2 * enough,
    what: ['the input of each command of the window'],
  },
  {
    file: 'main/commands/any-command.test.ts',
    each: 20,
    nightly: 400,
    what: ['up to 12 commands of a hostile page at once'],
    why: 'runs the commands',
  },
  {
    file: 'main/platform/log/log-fields.test.ts',
    each: 1000,
    nightly: 60_000,
    what: ['secrets in a field of the log', 'words in the log', 'values in the log'],
  },
  {
    file: 'main/platform/signed-list/minisign.test.ts',
    each: 100,
    nightly: enough,
    what: ['a signature with one character changed', 'any text as a signature'],
  },
  {
    file: 'main/portal/instance/address.test.ts',
    each: 1000,
    nightly: enough,
    what: ['the address of a service'],
  },
  {
    file: 'main/services/news/read-html.test.ts',
    each: 200,
    nightly: enough,
    what: ['the HTML of news'],
  },
  {
    file: 'main/services/attachments/file-name.test.ts',
    each: 1000,
    nightly: enough,
    what: ['the title of an attachment, as a file name'],
  },
  {
    file: 'main/tunnel/openvpn/configuration-any-text.test.ts',
    each: 1000,
    nightly: enough,
    what: ['lines of a configuration of OpenVPN', 'arguments of each directive'],
  },
  {
    file: 'main/tunnel/wireguard/configuration.test.ts',
    each: 300,
    nightly: enough,
    what: ['fields of a configuration of WireGuard', 'a damaged configuration of WireGuard'],
  },
  {
    file: 'main/tunnel/openvpn/helper-refusals.test.ts',
    each: 50,
    nightly: 3000,
    what: ['a changed line, read by the app and the helper'],
    why: 'starts the helper',
  },
  {
    file: 'mock-server/fuzz.test.ts',
    each: 150,
    nightly: 12_500,
    what: [
      'requests to the mock: discovery',
      'requests to the mock: vpn',
      'requests to the mock: vpn3',
      'requests to the mock: attachments',
      'requests to the mock: storage',
      'requests to the mock: content',
      'requests to the mock: organizations',
      'requests to the mock: control',
    ],
    why: 'a request over HTTP each',
  },
] as const satisfies readonly Suite[]

export type Fuzzed = (typeof suites)[number]['what'][number]

/** The fuzzers of the helper. A number of cases ends where a time may end as an error of Go itself (golang/go#48591). */
export const helperFuzzers = {
  names: [
    'FuzzReadRequest',
    'FuzzReadWireGuardRequest',
    'FuzzParseNameServers',
    'FuzzReadBusMessage',
    'FuzzResolvConf',
    'FuzzGroupPath',
    'FuzzRoutesOfTheNetwork',
  ],
  nightly: 500_000,
} as const

/** Returns the number of cases for an input in this run. */
export function caseCount(what: Fuzzed): number {
  const suite = suites.find((each) => each.what.some((name) => name === what))
  if (suite === undefined) throw new Error(`${what} is not in the list.`)
  return isNightly ? suite.nightly : suite.each
}

/** Returns parameters for fast-check: the same few cases for every change, many new ones each night. */
export function cases(what: Fuzzed): { readonly numRuns: number; readonly seed?: number } {
  return { numRuns: caseCount(what), seed: isNightly ? undefined : 1 }
}
