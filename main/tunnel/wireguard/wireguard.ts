import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { SecureContext } from 'node:tls'

import { CausewayError } from '../../errors'
import { failureDetails, type HelperFailure, helperError } from '../../privilege/helper-messages'
import type { PreparedTunnel, Protocol } from '../open-tunnel'
import { TunnelFailure, type TunnelOptions, type WireGuardTunnel } from '../tunnel'
import { type AddressRules, createAddressRules } from '../../platform/http/address-rules'
import { type Proxy, proxyName } from '../../platform/http/proxies'
import { type Endpoint, parseConfiguration, printConfiguration, serverOf } from './configuration'
import { contactedFor } from './contacted'
import { ProxyGuard } from './proxyguard'
import { proxyUnreachable } from './proxyguard-errors'
import { writeRequest } from './request'
import { type Clock, realClock } from './clock'
import { WireGuardSession } from './wireguard-session'

interface WireGuardOptions {
  /** The authorities that may vouch for a ProxyGuard server. */
  readonly secureContext: () => Promise<SecureContext>
  /** Returns the proxy that the tunnel is to use on the way to a server; undefined for none. Throws an error for one that can't be used. */
  readonly proxyFor?: (server: Endpoint) => Promise<Proxy | undefined>
  readonly clock?: Clock
  /** The addresses of a ProxyGuard server that a service may name. */
  readonly addressRules?: Pick<AddressRules, 'ruleForTunnel'>
}

/** The protocol of WireGuard, which the helper sets up (docs/helper.md, "WireGuard"). */
export function wireGuard(options: WireGuardOptions): Protocol<WireGuardTunnel> {
  const describe = ({ profile, transport }: WireGuardTunnel): string =>
    printConfiguration(parseConfiguration(profile, transport))
  const known: TunnelMemory = { worked: new Map(), rules: options.addressRules ?? createAddressRules() }
  return {
    prepare: (tunnel, { mode }) => prepare(options, known, tunnel, mode),
    isOutdated: (held, current) => Promise.resolve().then(() => describe(held) !== describe(current)),
    describe: (tunnel) => Promise.resolve().then(() => describe(tunnel)),
  }
}

/** What one tunnel leaves for the next. */
interface TunnelMemory {
  /** The last address of each host that has answered. */
  readonly worked: Map<string, string>
  readonly rules: Pick<AddressRules, 'ruleForTunnel'>
}

async function prepare(
  { secureContext, proxyFor, clock = realClock }: WireGuardOptions,
  { worked, rules }: TunnelMemory,
  { profile, transport, privateKey, namedBy }: WireGuardTunnel,
  mode: TunnelOptions['mode'],
): Promise<PreparedTunnel> {
  // A handshake takes a device.
  if (mode === 'handshake-only') throw new CausewayError('wireguard/not-checked')
  const configuration = parseConfiguration(profile, transport)
  const server = serverOf(configuration)
  const via = await proxyFor?.(server)
  if (via !== undefined && configuration.proxy === undefined)
    throw new CausewayError('profile-configuration/no-tcp-remote')
  const contacted = contactedFor(server, via)
  let session: WireGuardSession | undefined
  let proxy: { readonly client: ProxyGuard; readonly listenPort: number } | undefined
  if (configuration.proxy !== undefined) {
    const listenPort = await freeUdpPort()
    const client = await ProxyGuard.open({
      endpoint: configuration.proxy,
      via,
      listenPort,
      secureContext,
      mayReach: rules.ruleForTunnel(configuration.proxy, new URL(namedBy)),
      permit: async (address, from) => session?.permitDial(address, from),
      onFailure: (error) => session?.fail(error),
      onTrouble: (error) => session?.onProxyTrouble(error),
    })
    proxy = { client, listenPort }
  }
  const request = writeRequest(
    configuration,
    privateKey,
    worked.get(contacted.host),
    proxy && { ...proxy, port: proxy.client.port, from: proxy.client.from, contacted },
  )
  return {
    command: 'wireguard',
    configuration: request,
    hosts: [contacted.host],
    errorOf: failureOf(server, configuration.proxy !== undefined, contacted === server ? undefined : via),
    follow: (parts) =>
      (session = new WireGuardSession({
        ...parts,
        configuration,
        contacted,
        proxy: proxy?.client,
        request,
        clock,
        onAnswered: (address) => worked.set(contacted.host, address),
      })),
    discard: () => {
      proxy?.client.close()
      request.fill(0)
    },
  }
}

/** Returns a function that returns the error for a failure of the helper. */
function failureOf(
  server: Endpoint,
  isProxyGuard: boolean,
  via: Proxy | undefined,
): (failure: HelperFailure) => CausewayError {
  return (failure) => {
    if (failure.message !== 'failed') return helperError(failure)
    const details = failureDetails(failure)
    switch (failure.reason) {
      case 'no-wireguard':
        return new CausewayError('wireguard/not-available')
      case 'wireguard-of-others':
        return new CausewayError('wireguard/not-available', { variant: 'of-others', details })
      case 'no-tun':
        return new CausewayError('wireguard/device-unavailable', { details })
      case 'setting':
      case 'nft':
        return new CausewayError('wireguard/answers-dropped', { details })
      case 'nft-missing':
        return new CausewayError('wireguard/answers-dropped', { variant: 'no-nft' })
      case 'unresolved':
        return new TunnelFailure(
          { failureClass: 'retry', reason: 'name-not-resolved' },
          'wireguard/name-not-resolved',
          details,
        )
      case 'unreachable':
        return isProxyGuard ? proxyUnreachable() : noWay()
      case 'no-ipv4':
        return noWay({ reason: 'no-ipv4' })
      case 'endpoint':
        if (via !== undefined)
          return new CausewayError('http/unreachable', {
            variant: 'proxy-unusable',
            details: { host: server.host, reason: 'proxy', proxy: proxyName(via) },
          })
        return new CausewayError('profile-configuration/invalid-argument', {
          variant: 'resolved',
          details: { directive: isProxyGuard ? 'ProxyEndpoint' : 'Endpoint' },
        })
      default:
        return helperError(failure)
    }
  }
}

/** Returns the error for a server to which the kernel has no route. */
function noWay(details?: { readonly reason: 'no-ipv4' }): TunnelFailure {
  const classed = { failureClass: 'retry', reason: 'network-unreachable' } as const
  return new TunnelFailure(classed, 'wireguard/unreachable', details)
}

/** Returns a port that is free now, for WireGuard, whose own port the ProxyGuard client has to know. */
async function freeUdpPort(): Promise<number> {
  const socket = createSocket('udp4')
  socket.bind(0)
  await once(socket, 'listening')
  const { port } = socket.address()
  socket.close()
  await once(socket, 'close')
  return port
}
