import type { CausewayError } from '../errors'
import type { KeyPair } from '../portal/v2/key-pair'
import type { TokenSession } from '../portal/oauth/token-session'
import { withLogin } from '../portal/oauth/with-login'
import type { RemoteStrategy, VpnApi } from '../portal/v2/vpn-api'

/** What connecting needs of one instance. */
export interface InstanceAccess {
  /** Makes sure that the instance's endpoints are known. */
  discover(signal: AbortSignal): Promise<unknown>
  readonly session: TokenSession
  readonly api: VpnApi
  readonly keyPairs: KeyPairs
  /** Whether the network answers in the instance's place, because it wants a sign-in first. Asked after a failure only. */
  isBehindCaptivePortal(signal: AbortSignal): Promise<boolean>
  /** The error to tell instead, where the clock of this computer is to blame. Asked after a failure only. */
  wrongClock(cause: CausewayError, signal: AbortSignal): Promise<CausewayError | undefined>
}

export interface KeyPairs {
  /** A pair that the instance accepts; `fresh` when it was made just now. */
  usable(signal: AbortSignal): Promise<{ readonly keyPair: KeyPair; readonly fresh: boolean }>
  /** The pair held, if the instance accepts it; undefined where a new one is to be made. */
  accepted(signal: AbortSignal): Promise<KeyPair | undefined>
  /** A new pair in place of the one held. */
  renew(signal: AbortSignal): Promise<KeyPair>
}

export interface Preparation {
  readonly keyPair: KeyPair
  readonly fresh: boolean
  /** The profile's configuration as the instance sent it, unchecked. */
  readonly profileText: string
}

/**
 * Everything before OpenVPN: endpoints, a login where one is needed and allowed (at most one), then the key pair and
 * the profile's configuration at the same time. `onStep` is told when one of these steps begins.
 */
export async function prepare(
  access: InstanceAccess,
  profile: { readonly profileId: string; readonly remoteStrategy: RemoteStrategy | undefined },
  options: { readonly login: 'allowed' | 'never'; readonly signal: AbortSignal },
  onStep: (step: 'authorizing' | 'preparing') => void,
): Promise<Preparation> {
  const { signal, login } = options
  await access.discover(signal)
  const onLoginNeeded = () => {
    onStep('authorizing')
  }
  return withLogin(access.session, { login, signal, onLoginNeeded }, async () => {
    await access.session.accessToken(signal)
    onStep('preparing')
    // Both are awaited even when one fails, so that a key pair that the instance has just issued is not lost.
    const [keyPair, profileText] = await Promise.allSettled([
      access.keyPairs.usable(signal),
      access.api.profileConfig(profile.profileId, profile.remoteStrategy, signal),
    ])
    if (keyPair.status === 'rejected') throw keyPair.reason
    if (profileText.status === 'rejected') throw profileText.reason
    return { ...keyPair.value, profileText: profileText.value }
  })
}
