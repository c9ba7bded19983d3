import type { ConnectionTarget } from '../../contract/connection'
import { CausewayError, hasCode } from '../errors'
import type { Grant, Portal } from '../portal/portal'
import type { AttemptDependencies } from './connection-attempt'
import { type ConnectOptions, defaultTimeoutMs, wantedFor } from './connect-options'
import { prepare } from './prepare'

/**
 * Checks that connecting can succeed, as far as the portal can tell, before a tunnel is ended for it. Does nothing for
 * portals that don't need it, and if another network, or a login that may be asked for, is needed first. Throws what
 * Portal.validate throws.
 */
export async function validateTarget(
  dependencies: AttemptDependencies,
  target: ConnectionTarget,
  options: ConnectOptions,
): Promise<void> {
  await unlessLater(options, async (signal) => {
    const portal = await (await dependencies.accessTo(target.instanceId)).portal(signal)
    await portal.validate?.(target.profileId, await wantedFor(dependencies, target, options), signal)
  })
}

/**
 * Gets a grant through the tunnel to `from` that is up, so that the kill switch needn't be lifted to ask the portal.
 * Returns none after checking like `validateTarget` where the portal must be asked after the tunnel's end: if
 * granting ends the tunnel that the answer comes through, as version 3 does at the same portal, and if another network
 * or a login is needed first. Throws what Portal.connect throws.
 *
 * @param onPortal called with each portal before it grants anything
 */
export async function grantThroughTunnel(
  dependencies: AttemptDependencies,
  from: ConnectionTarget,
  target: ConnectionTarget,
  options: ConnectOptions,
  onPortal: (portal: Portal) => void,
): Promise<Grant | undefined> {
  return unlessLater(options, async (signal) => {
    const access = await dependencies.accessTo(target.instanceId)
    const wanted = await wantedFor(dependencies, target, options)
    const portal = await access.portal(signal)
    if (portal.disconnect !== undefined && from.instanceId === target.instanceId) {
      await portal.validate?.(target.profileId, wanted, signal)
      return undefined
    }
    return prepare(access, target.profileId, wanted, {
      login: 'never',
      signal,
      onStep: () => undefined,
      onPortal,
    })
  })
}

/** Returns undefined for an error that the end of the tunnel, or a login, may mend. */
async function unlessLater<T>(
  options: ConnectOptions,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work(AbortSignal.timeout(options.timeoutMs ?? defaultTimeoutMs))
  } catch (error) {
    const mayLogIn = hasCode(error, 'oauth/login-required') && options.login !== 'never'
    // The way to this portal may lead past the tunnel that there is now.
    const isOfNetwork = error instanceof CausewayError && error.code.startsWith('http/')
    if (!mayLogIn && !isOfNetwork) throw error
    return undefined
  }
}
