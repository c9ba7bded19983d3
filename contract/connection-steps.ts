// In its own file so that the window's first view doesn't load the state's schema.
import type { ConnectionState } from './connection'
import type { Carries } from './connection-summary'
import type { ErrorReport } from './error-codes'
import { firstStepAfter } from './first-steps'
import type { HelperSlice } from './state'
import type { Verb } from './verbs'

/** What the steps depend on, besides the state of the connection. */
export interface StepFacts {
  /** Only servers over TCP are used already. */
  readonly preferTcp?: boolean | undefined
  /** The privileged helper of this computer. */
  readonly helper?: HelperSlice | undefined
  /** The settings of the system's clock can be opened. */
  readonly hasClockSettings?: boolean | undefined
}

/** Returns what may help where a tunnel carries less than it should. */
export function stepsFor(
  carried: Carries,
  { remote }: Extract<ConnectionState, { state: 'connected' }>,
  { preferTcp }: StepFacts,
): readonly Verb[] {
  switch (carried) {
    case 'nothing':
      return ['tryOther', ...(remote.protocol === 'udp' && preferTcp !== true ? (['tryTcp'] as const) : [])]
    case 'lessThanPromised':
    case 'noRoutes':
      // A new tunnel sets its routes again, unless the server or another program is at fault.
      return ['reconnect', 'checkComputer', 'copyForHelpDesk']
    case 'namesOutside':
    case 'unknown':
      return ['checkComputer', 'copyForHelpDesk']
    case 'everything':
    case 'everythingButLocal':
    case 'everythingButApps':
    case 'onlyApps':
    case 'noApps':
    case 'networks':
    case 'onlyIpv4':
    case 'exceptions':
    case 'checking':
      return []
  }
}

/** Returns what helps after a failure, the best first, and whether the first is the step that the sentence names. */
export function stepsAfter(
  { code, variant, details }: ErrorReport,
  { preferTcp, helper, hasClockSettings }: StepFacts,
): { readonly verbs: readonly Verb[]; readonly firstHelps: boolean } {
  const check = /^(?:openvpn|wireguard|helper|clock)\//.test(code) ? (['checkComputer'] as const) : []
  const helps = (...verbs: readonly Verb[]) => ({ verbs, firstHelps: true })
  const again = ['tryAgain', ...check, 'copyForHelpDesk'] as const
  const nothing = { verbs: again, firstHelps: false }
  const step = firstStepAfter(code, variant ?? details?.reason)
  switch (step) {
    case 'tryAgain':
      return helps(...again)
    case 'nothing':
      return nothing
    case 'tryTcp':
      return preferTcp === true ? nothing : helps('tryTcp', ...again)
    case 'renew':
      return helps('renew')
    case 'openPage':
      return helps('openPage', 'tryAgain')
    case 'signInAgain':
      return helps('signInAgain', 'copyForHelpDesk')
    case 'chooseProfile':
      return helps('chooseProfile', ...again)
    case 'openClockSettings':
      return hasClockSettings === true ? helps('openClockSettings', 'tryAgain', ...check) : nothing
    case 'chooseOpenVpn':
      return helps('chooseOpenVpn', 'tryAgain', ...check)
    case 'installHelper':
      if (helper === 'installable') return helps('installHelper', 'tryAgain', 'checkComputer')
      // It was installed meanwhile.
      if (helper === 'usable' && code !== 'openvpn/not-permitted') return helps('tryAgain', 'checkComputer')
      return helps('checkComputer', 'tryAgain')
    case 'checkComputer':
      return helps('checkComputer', 'tryAgain', 'copyForHelpDesk')
    case 'copyForHelpDesk':
      return helps('copyForHelpDesk', 'tryAgain', ...check)
  }
}
