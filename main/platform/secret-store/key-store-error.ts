import { CausewayError } from '../../errors'

/** Texts of keytar, libsecret, GLib and macOS; none of them gives a code. */
const notLoaded = /native addon/i
const locked =
  /locked|dismissed|interaction is not allowed|user cancel|user name or passphrase you entered is not correct/i
const unavailable =
  /autolaunch D-Bus|not provided by any|not activatable|could not connect|connection refused|connection is closed|no such file|timeout was reached|does not exist|ServiceUnknown|NoReply/i

/** What a person is told of an error of the platform's key store, whose own text is kept in `details`. */
export function keyStoreError(cause: unknown): CausewayError {
  if (cause instanceof CausewayError) return cause
  const reason = (cause instanceof Error ? cause.message : String(cause)).slice(0, 200)
  const options = { details: { reason }, cause }
  if (notLoaded.test(reason)) {
    return new CausewayError(
      'secret-store/unavailable',
      "The key store can't be used on this computer. Install libsecret (on Debian: libsecret-1-0), or use --secret-store file.",
      options,
    )
  }
  if (locked.test(reason)) {
    return new CausewayError(
      'secret-store/locked',
      "This computer's key store is locked. Unlock it, then try again.",
      options,
    )
  }
  if (unavailable.test(reason)) {
    return new CausewayError(
      'secret-store/unavailable',
      'This computer has no key store for your login. Set up a keyring such as GNOME Keyring or KWallet, or use --secret-store file.',
      options,
    )
  }
  return new CausewayError(
    'secret-store/failed',
    "This computer's key store reported an error. Check that it works, then try again.",
    options,
  )
}

/** A key store that waits for an answer of the user's which does not come is as good as locked. */
export function notAnsweredError(limitMs: number): CausewayError {
  return new CausewayError(
    'secret-store/locked',
    "This computer's key store isn't responding. It may be waiting for its password: unlock it, then try again.",
    { details: { seconds: Math.round(limitMs / 1000) } },
  )
}
