import type { CausewayError } from '../errors'
import type { TokenSession } from '../portal/oauth/token-session'
import { withLogin } from '../portal/oauth/with-login'
import type { Grant, Portal, Wanted } from '../portal/portal'

/** What connecting needs of one instance. */
export interface InstanceAccess {
  /** Makes sure that the instance's endpoints are known. */
  discover(signal: AbortSignal): Promise<unknown>
  readonly session: TokenSession
  /** The portal, for calls with the login there is. Throws `oauth/login-required`, and what discovery throws. */
  portal(signal: AbortSignal): Promise<Portal>
  /** Whether the network answers in the instance's place, because it wants a sign-in first. Asked after a failure only. */
  isBehindCaptivePortal(signal: AbortSignal): Promise<boolean>
  /** The error to tell instead, where the clock of this computer is to blame. Asked after a failure only. */
  wrongClock(cause: CausewayError, signal: AbortSignal): Promise<CausewayError | undefined>
}

/**
 * Everything before the tunnel: endpoints, a login where one is needed and allowed (at most one), then what the portal
 * grants. `onStep` is told when one of these steps begins.
 */
export async function prepare(
  access: InstanceAccess,
  profileId: string,
  wanted: Wanted,
  options: { readonly login: 'allowed' | 'never'; readonly signal: AbortSignal },
  onStep: (step: 'authorizing' | 'preparing') => void,
): Promise<{ readonly portal: Portal; readonly grant: Grant }> {
  const { signal, login } = options
  await access.discover(signal)
  const onLoginNeeded = () => {
    onStep('authorizing')
  }
  return withLogin(access.session, { login, signal, onLoginNeeded }, async () => {
    const portal = await access.portal(signal)
    onStep('preparing')
    return { portal, grant: await portal.connect(profileId, wanted, signal) }
  })
}
