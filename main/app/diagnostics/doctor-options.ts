import type { AppsHere } from '../../../contract/apps'
import type { WindowsHelper } from '../../platform/child-process/windows-helper'
import type { Proxy, UnusableProxy } from '../../platform/http/proxies'
import type { SecretStore } from '../../platform/secret-store/secret-store'
import type { answersDropped } from '../../privilege/mark-filter'
import type { Timer } from '../../timer'
import type { UpdateStatus } from '../../updates/updates'
import type { FindPolicy } from '../policy'
import type { diskFinding, fixedResolvConf, systemClock } from './computer-findings'
import type { mayStartHelper } from './session'

export interface DoctorOptions {
  readonly secretStore: SecretStore
  /** The path of OpenVPN; undefined to search for it. */
  readonly openVpnPath: string | undefined
  readonly platform: NodeJS.Platform
  readonly env: Readonly<Record<string, string | undefined>>
  /** The path of the helper, if not the default. */
  readonly helper?: string
  /** The folder to search for the helper's files, if not this program's own. */
  readonly helperSources?: string
  /** Windows only, for tests: replaces Causeway's helper. */
  readonly windowsHelper?: WindowsHelper
  /** Linux only, for tests. */
  readonly tunDevice?: string
  /** Where Causeway stores its data. */
  readonly dataDirectory: string
  /** Returns true if the kill switch blocks all traffic although nothing is connected. */
  readonly isBlocked: () => Promise<boolean>
  /** Returns the devices of a tunnel of Causeway's that is up. */
  readonly ownDevices: () => Promise<readonly string[]>
  /** Linux only, for tests: replaces the question whether /etc/resolv.conf can be changed. */
  readonly fixedResolvConf?: typeof fixedResolvConf
  /** For tests. */
  readonly clock?: typeof systemClock
  /** For tests. */
  readonly statfs?: Parameters<typeof diskFinding>[1]
  /** Whether some apps are to be outside the tunnel, or alone in it. */
  readonly dividesApps?: 'for all profiles' | 'for a profile' | undefined
  /** Linux only, for tests: replaces the question whether apps can be divided. */
  readonly appsHere?: () => Promise<AppsHere>
  /** Linux only, for tests: replaces the question whether the system starts the helper. */
  readonly mayStart?: typeof mayStartHelper
  /** Linux only, for tests: replaces the question whether answers to WireGuard are dropped. */
  readonly answersDropped?: typeof answersDropped
  /** Finds the computer's policy. */
  readonly findPolicy: FindPolicy
  /** Returns what is known about new versions. */
  readonly updates?: () => Promise<UpdateStatus>
  /** Returns the proxies for requests to the instances. */
  readonly proxies: () => Promise<readonly (Proxy | UnusableProxy)[]>
  /** Returns a text to store in the key store. */
  readonly randomText: () => string
  /** For tests. */
  readonly after?: Timer
}
