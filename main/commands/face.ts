import type { Instance } from '../portal/instance/instance'
import type { TokenSession } from '../portal/oauth/token-session'

/** Returns the instance with this id. Throws `usage/unknown-instance`. */
export type InstanceOf = (instanceId: string) => Instance | Promise<Instance>

/** What the shared commands get from the window or the terminal that runs them. */
export interface Face {
  readonly instanceOf: InstanceOf
  /** Logs in and out. The window's also keeps its state. */
  sessionOf(instance: Instance): Pick<TokenSession, 'logIn' | 'logOut'>
  /** The user's languages (BCP 47, best first). */
  languages(): readonly string[] | Promise<readonly string[]>
  /** Whether connecting may open the browser. */
  readonly login: 'allowed' | 'never'
  /** Connecting waits until the person has signed in to a network that wants it. */
  readonly waitsForNetworkSignIn?: true
}
