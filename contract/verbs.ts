// In its own file so that the first view doesn't load the state's schema.
import type { CommandInput, CommandName } from './commands'
import type { ConnectionTarget } from './connection'
import type { View } from './views'

/** The keys of what buttons and menus say. */
export const verbText = {
  connect: 'connection.connect',
  cancel: 'instance.cancel',
  disconnect: 'connection.disconnect',
  reconnect: 'connection.reconnect',
  tryAgain: 'connection.tryAgain',
  tryTcp: 'connection.tryTcp',
  tryOther: 'connection.tryOther',
  retryNow: 'connection.retryNow',
  openPage: 'connection.openPage',
  signInAgain: 'connection.signInAgain',
  chooseProfile: 'connection.pick',
  openClockSettings: 'connection.openClockSettings',
  chooseOpenVpn: 'connection.chooseOpenVpn',
  installHelper: 'connection.installHelper',
  renew: 'connection.expiry.renew',
  openBrowser: 'instance.openAgain',
  copyLink: 'instance.copyLink',
  cancelSignIn: 'instance.cancel',
  allowTraffic: 'connection.allowTraffic',
  checkComputer: 'navigation.doctor',
  copyForHelpDesk: 'connection.copyForHelpDesk',
} as const

/**
 * Something to do about the connection. The commands of `cancel` and `disconnect`, of `connect`, `reconnect` and `tryAgain`, and
 * of `retryNow` and `tryOther`, are the same.
 */
export type Verb = keyof typeof verbText

/** What needs a profile to connect to. */
const needTarget: readonly Verb[] = ['connect', 'reconnect', 'tryAgain', 'tryTcp']

/** What can't be done once access has ended. */
const needAccess: readonly Verb[] = [...needTarget, 'renew']

/**
 * Returns what to offer of the verbs of a description, the best first: renewing comes first where access has ended, and connecting
 * needs a profile.
 */
export function offeredVerbs(
  verbs: readonly Verb[],
  { isOver, hasTarget }: { readonly isOver: boolean; readonly hasTarget: boolean },
): readonly Verb[] {
  const possible = verbs.filter((verb) => hasTarget || !needTarget.includes(verb))
  // Access may be renewed just now.
  if (!isOver || possible[0] === 'signInAgain' || possible[0] === 'cancelSignIn') return possible
  return ['renew', ...possible.filter((verb) => !needAccess.includes(verb))]
}

/** What a verb is about. */
export interface VerbSubject {
  /** The profile to connect to. */
  readonly target: ConnectionTarget | undefined
  /** The service whose access is renewed. */
  readonly instanceId: string | undefined
  /** Its access has ended: renewing goes on to the target. */
  readonly isOver: boolean
  /** Another process holds the connection, which is taken over. */
  readonly isHeld: boolean
  /** The service whose sign-in waits for the browser. */
  readonly signInTo?: string | undefined
}

type CommandOf<Names extends CommandName> = {
  [Name in Names]: { readonly name: Name; readonly input: CommandInput<Name> }
}[Names]

/** What a verb does: it runs a command, or opens a view, with its search. */
export type VerbAction =
  | CommandOf<
      | 'connect'
      | 'disconnect'
      | 'retryNow'
      | 'releaseTraffic'
      | 'setOpenVpn'
      | 'installHelper'
      | 'renewSession'
      | 'copySupportReport'
      | 'openNetworkPage'
      | 'openClockSettings'
      | 'openLogInAgain'
      | 'copyLogInLink'
      | 'cancelLogIn'
    >
  | { readonly view: View; readonly search?: true }

/** Returns what a verb does; undefined if what it needs is missing. */
export function actionOf(
  verb: Verb,
  { target, instanceId, isOver, isHeld, signInTo }: VerbSubject,
): VerbAction | undefined {
  const takeOver = isHeld ? true : undefined
  switch (verb) {
    case 'connect':
    case 'reconnect':
    case 'tryAgain':
    case 'tryTcp':
      if (target === undefined) return undefined
      return {
        name: 'connect',
        input: verb === 'tryTcp' ? { ...target, preferTcp: true } : { ...target, takeOver },
      }
    case 'cancel':
    case 'disconnect':
      return { name: 'disconnect', input: undefined }
    case 'tryOther':
    case 'retryNow':
      return { name: 'retryNow', input: undefined }
    case 'allowTraffic':
      return { name: 'releaseTraffic', input: undefined }
    case 'chooseOpenVpn':
      return { name: 'setOpenVpn', input: { by: 'dialog' } }
    case 'installHelper':
      return { name: 'installHelper', input: undefined }
    case 'openPage':
      return instanceId === undefined ? undefined : { name: 'openNetworkPage', input: { instanceId } }
    case 'openClockSettings':
      return { name: 'openClockSettings', input: undefined }
    case 'chooseProfile':
      return { view: 'connection', search: true }
    case 'signInAgain':
      // Connecting signs in on the way, unless a login is there that the service doesn't accept any more.
      if (!isOver) return target && { name: 'connect', input: { ...target, takeOver } }
      return actionOf('renew', { target, instanceId, isOver, isHeld })
    case 'renew':
      if (instanceId === undefined) return undefined
      return {
        name: 'renewSession',
        input: { instanceId, profileId: isOver ? target?.profileId : undefined, takeOver },
      }
    case 'openBrowser':
      return signInTo === undefined ? undefined : { name: 'openLogInAgain', input: { instanceId: signInTo } }
    case 'copyLink':
      return signInTo === undefined ? undefined : { name: 'copyLogInLink', input: { instanceId: signInTo } }
    case 'cancelSignIn':
      return signInTo === undefined ? undefined : { name: 'cancelLogIn', input: { instanceId: signInTo } }
    case 'copyForHelpDesk':
      return { name: 'copySupportReport', input: undefined }
    case 'checkComputer':
      return { view: 'doctor' }
  }
}
