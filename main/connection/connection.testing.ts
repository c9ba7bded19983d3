import { CausewayError } from '../errors'
import type { Grant, Portal, VpnProtocol } from '../portal/portal'
import { type GrantedTunnel, type TunnelEnd, type TunnelEvent, TunnelFailure } from '../tunnel/tunnel'
import { Connection, type ConnectionDependencies } from './connection'

export const target = { instanceId: 'vpn.example.org', profileId: 'internet' }
export const unreachable = new TunnelFailure(
  { failureClass: 'retry', reason: 'unreachable' },
  'openvpn/unreachable',
)
const connected = {
  event: 'connected',
  details: { addresses: {}, remote: { address: '192.0.2.1', port: 1194, protocol: 'udp' } },
} as const

/** A connection whose tunnel comes up, except at the starts of `fails`, counted from 1. `done` lists what happens, in order. */
export function world({
  fails = [],
  failsWith = unreachable,
  isDiscovered = () => true,
  isBehindCaptivePortal = () => false,
  isVersion2 = false,
  refusals = {},
  grants = () => ({ protocol: 'openvpn', profile: '', certificate: '', privateKey: '' }),
  leftUp,
  asks,
  validate,
  drops = [],
  says = [],
  isNew = true,
  logIn,
  answers = () => Promise.resolve(),
  wrongClock,
  ...more
}: {
  readonly fails?: readonly number[]
  readonly failsWith?: TunnelFailure
  /** Whether the portal can be found. */
  readonly isDiscovered?: () => boolean
  readonly isBehindCaptivePortal?: () => boolean
  readonly leftUp?: CausewayError
  /** Portals needn't know that a tunnel has ended. */
  readonly isVersion2?: boolean
  /** The errors of the portals, by how many were opened until then. */
  readonly refusals?: Readonly<Record<number, CausewayError>>
  /** Returns the tunnel of a profile. */
  readonly grants?: (profileId: string) => GrantedTunnel
  /** The protocol that the portal says it will grant; it then refuses. */
  readonly asks?: VpnProtocol
  /** What portals answer before a tunnel is ended for a new one. */
  readonly validate?: () => Promise<void>
  /** The starts after which the tunnel comes up and then fails with `failsWith`, counted from 1. */
  readonly drops?: readonly number[]
  /** What the tunnel says once it's up. */
  readonly says?: readonly TunnelEvent[]
  /** Whether grants have credentials that no server knows yet. */
  readonly isNew?: boolean
  /** Signs in, where the portals want that. */
  readonly logIn?: () => Promise<void>
  /** Settles before a portal grants anything. */
  readonly answers?: (signal: AbortSignal | undefined) => Promise<void>
  /** What a certificate that isn't valid is put down to. */
  readonly wrongClock?: CausewayError
} & Partial<
  Pick<
    ConnectionDependencies,
    | 'blockedNetworks'
    | 'claim'
    | 'delay'
    | 'getBackend'
    | 'killSwitch'
    | 'network'
    | 'onDefect'
    | 'onMovedToTcp'
    | 'onTunnel'
    | 'preferences'
  >
> = {}) {
  const done: string[] = []
  let opened = 0
  let started = 0
  let isSignedIn = logIn === undefined
  const portal = (name: string): Portal => ({
    profiles: () => Promise.resolve({ items: [], unreadable: 0 }),
    ...(validate && { validate }),
    connect: async (profileId, { onAsking }, signal) => {
      done.push(`connect ${name}`)
      if (!isSignedIn) throw new CausewayError('oauth/login-required')
      await answers(signal)
      if (asks !== undefined) {
        onAsking?.(asks)
        throw new CausewayError('vpn-api/not-allowed')
      }
      const refusal = refusals[Number(name)]
      if (refusal !== undefined) throw refusal
      const grant: Grant = {
        tunnel: grants(profileId),
        validUntil: new Date(8.64e15),
        isNew,
        check: () => Promise.resolve('login-accepted'),
        renew: () => {
          done.push('renew')
          return Promise.resolve(grant)
        },
        overTcp: () => {
          done.push('over TCP')
          return Promise.resolve(grant)
        },
      }
      return grant
    },
    ...(!isVersion2 && {
      disconnect: () => {
        done.push(`disconnect ${name}`)
        return Promise.resolve()
      },
    }),
  })
  const connection = new Connection({
    choiceFor: () => Promise.resolve(undefined),
    blockedNetworks: {
      current: () => Promise.resolve(undefined),
      has: () => Promise.resolve(false),
      add: () => Promise.resolve(),
    },
    killSwitch: () => Promise.resolve(false),
    onMovedToTcp: () => undefined,
    claim: () =>
      Promise.resolve({
        unblock: () => {
          done.push('unblock')
          return Promise.resolve()
        },
        release: () => {
          done.push('release')
          return Promise.resolve()
        },
      }),
    accessTo: () =>
      Promise.resolve({
        discover: () =>
          isDiscovered()
            ? Promise.resolve()
            : Promise.reject(
                new CausewayError('discovery/not-found', { details: { host: 'vpn.example.org' } }),
              ),
        session: {
          signedIn: () => Promise.resolve(isSignedIn),
          login: () => Promise.resolve('login'),
          accessToken: () => Promise.resolve('token'),
          discardRejected: () => Promise.resolve(),
          expire: () => Promise.resolve(),
          requireVersion: () => Promise.resolve(),
          logIn: async () => {
            await logIn?.()
            isSignedIn = true
          },
          logOut: () => Promise.resolve(),
        },
        portal: () => Promise.resolve(portal(String((opened += 1)))),
        isBehindCaptivePortal: () => Promise.resolve(isBehindCaptivePortal()),
        wrongClock: () => Promise.resolve(wrongClock),
      }),
    getBackend: () =>
      Promise.resolve({
        getReady: (protocol, mode) => {
          done.push(`ready for ${protocol}, ${mode}`)
          return () => {
            done.push('stood down')
            return Promise.resolve()
          }
        },
        openTunnel: (_tunnel, { onEvent }) => {
          started += 1
          const isFailing = fails.includes(started)
          const isDropped = drops.includes(started)
          let end: (end: TunnelEnd) => void = () => undefined
          const ended = new Promise<TunnelEnd>((resolve) => {
            end = resolve
          })
          queueMicrotask(() => {
            onEvent({ event: 'phase', phase: 'starting' })
            onEvent({ event: 'log', line: `start ${String(started)}` })
            if (isFailing) end({ end: 'failed', error: failsWith })
            else for (const event of [connected, ...says]) onEvent(event)
            if (isDropped) end({ end: 'failed', error: failsWith })
          })
          return Promise.resolve({
            ended,
            stop: async () => {
              if (!isFailing) done.push('tunnel down')
              end(leftUp === undefined ? { end: 'stopped' } : { end: 'failed', error: leftUp })
              await ended
            },
          })
        },
        isOutdated: () => Promise.resolve(false),
        describe: () => Promise.resolve(''),
      }),
    preferences: () => Promise.resolve({ remoteStrategy: 0, preferTcp: false, reconnect: true }),
    onTunnel: () => undefined,
    network: { watch: () => () => undefined },
    delay: () => Promise.resolve(),
    random: () => 0.5,
    onDefect: (error) => {
      throw error
    },
    now: () => new Date(1_000_000),
    ...more,
  })
  return { connection, done }
}
