import type { CausewayError } from '../errors'
import type { TokenSession } from '../portal/oauth/token-session'
import { withLogin } from '../portal/oauth/with-login'
import type { Grant, Portal, Wanted } from '../portal/portal'

/** Access to an instance, for connecting. */
export interface InstanceAccess {
  /** Makes sure that the instance's endpoints are known. */
  discover(signal: AbortSignal): Promise<unknown>
  readonly session: TokenSession
  /** The portal, for calls with the login there is. Throws `oauth/login-required`, and what discovery throws. */
  portal(signal: AbortSignal): Promise<Portal>
  /** Returns true if a captive portal answers instead of the instance. Called after failures only. */
  isBehindCaptivePortal(signal: AbortSignal): Promise<boolean>
  /** Returns the error to show instead if this computer's clock is wrong. Called after failures only. */
  wrongClock(cause: CausewayError, signal: AbortSignal): Promise<CausewayError | undefined>
}

export interface PrepareOptions {
  readonly login: 'allowed' | 'never'
  readonly signal: AbortSignal
  /** Called when one of these steps begins. */
  readonly onStep: (step: 'login' | 'prepare') => void
  /** Called with the portal before it grants anything. */
  readonly onPortal?: (portal: Portal) => void | Promise<void>
}

/** Does everything before the tunnel: finds the endpoints, logs in once if needed and allowed, and gets a grant. */
export async function prepare(
  access: InstanceAccess,
  profileId: string,
  wanted: Wanted,
  { login, signal, onStep, onPortal }: PrepareOptions,
): Promise<Grant> {
  await access.discover(signal)
  const onLoginNeeded = () => {
    onStep('login')
  }
  return withLogin(access.session, { login, signal, onLoginNeeded }, async () => {
    const portal = await access.portal(signal)
    onStep('prepare')
    await onPortal?.(portal)
    return portal.connect(profileId, wanted, signal)
  })
}
