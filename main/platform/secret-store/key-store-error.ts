import { CausewayError } from '../../errors'

/** Messages of keytar, libsecret, GLib and macOS, which have no error codes. */
const notLoaded = /native addon/i
const locked =
  /locked|dismissed|interaction is not allowed|user cancel|user name or passphrase you entered is not correct/i
/** The Secret Service runs, but has no default collection to store in. */
const noKeyring =
  /does not exist at path|no such (secret )?collection|no default (collection|keyring)|secrets\/aliases\/default|NoSuchObject/i
const unavailable =
  /autolaunch D-Bus|not provided by any|not activatable|could not connect|connection refused|connection is closed|no such file|timeout was reached|does not exist|ServiceUnknown|NoReply/i

/** Returns the error for a failure of the platform's key store, whose message is in `details`. */
export function keyStoreError(cause: unknown): CausewayError {
  if (cause instanceof CausewayError) return cause
  const reason = (cause instanceof Error ? cause.message : String(cause)).slice(0, 200)
  const options = { details: { reason }, cause }
  if (notLoaded.test(reason)) {
    return new CausewayError('secret-store/unavailable', { variant: 'not-loaded', ...options })
  }
  if (locked.test(reason)) {
    return new CausewayError('secret-store/locked', options)
  }
  if (noKeyring.test(reason)) {
    return new CausewayError('secret-store/unavailable', { variant: 'no-keyring', ...options })
  }
  if (unavailable.test(reason)) {
    return new CausewayError('secret-store/unavailable', options)
  }
  return new CausewayError('secret-store/failed', options)
}

/** Returns the error for a key store that waits for the user too long, and is probably locked. */
export function notAnsweredError(limitMs: number): CausewayError {
  return new CausewayError('secret-store/locked', {
    variant: 'not-responding',
    details: { seconds: Math.round(limitMs / 1000) },
  })
}
