import { CausewayError } from '../../errors'
import { failureDetails, type HelperFailure, helperError } from '../../privilege/helper-messages'
import type { PreparedTunnel, Protocol } from '../open-tunnel'
import type { OpenVpnTunnel, Remote, StartOptions, TunnelOptions, TunnelProxy } from '../tunnel'
import { type OpenVpnConfiguration, buildConfiguration, isOutdated } from './configuration'
import { programNotFound } from './find-openvpn'
import { OpenVpnSession } from './openvpn-session'
import { redactConfiguration } from './redact-configuration'
import { tunnelFailure } from './tunnel-failure'

/**
 * Returns the proxy on the way to a server; undefined for none. To `start` a tunnel, it throws if the proxy refuses: in
 * OpenVPN's log, all refusals look the same.
 */
type TunnelProxyFor = (
  server: Remote,
  use: 'start' | 'compare',
  signal: AbortSignal | undefined,
) => Promise<TunnelProxy | undefined>

/** The protocol of OpenVPN, which runs with the rights that this system gives (docs/platforms.md). */
export function openVpn(proxyFor?: TunnelProxyFor): Protocol<OpenVpnTunnel> {
  const build = async (
    { profile, ...keyPair }: OpenVpnTunnel,
    { signal, ...how }: TunnelOptions & Partial<Pick<StartOptions, 'avoid' | 'signal'>>,
    use: 'start' | 'compare' = 'compare',
  ): Promise<OpenVpnConfiguration> => {
    const built = (proxy?: TunnelProxy) =>
      buildConfiguration(profile, keyPair, { platform: process.platform, ...how, proxy })
    const direct = built()
    const server = direct.remotes.find(({ protocol }) => protocol === 'tcp') ?? direct.remotes[0]
    const proxy = server && (await proxyFor?.(server, use, signal))
    return proxy === undefined ? direct : built(proxy)
  }
  return {
    prepare: async (tunnel, how) => prepareOpenVpn(await build(tunnel, how, 'start'), how.mode),
    isOutdated: async (held, current, how) => isOutdated(await build(held, how), await build(current, how)),
    describe: async (tunnel, how) => redactConfiguration((await build(tunnel, how)).text),
  }
}

export function prepareOpenVpn(
  { text, remotes }: OpenVpnConfiguration,
  mode: TunnelOptions['mode'],
): PreparedTunnel {
  return {
    command: 'run',
    configuration: text,
    hosts: remotes.map(({ host }) => host),
    errorOf,
    follow: (parts) => new OpenVpnSession(parts, remotes, mode),
  }
}

function errorOf(failure: HelperFailure): CausewayError {
  if (failure.message !== 'failed') return helperError(failure)
  switch (failure.reason) {
    case 'no-openvpn':
      return programNotFound(undefined)
    case 'openvpn-of-others':
      return new CausewayError('openvpn/not-found', { details: failureDetails(failure) })
    case 'no-rights':
      return tunnelFailure('not-permitted', failureDetails(failure), 'system')
    case 'unresolved':
      return tunnelFailure('name-not-resolved', { step: failure.step, cause: failure.cause })
    default:
      return helperError(failure)
  }
}
