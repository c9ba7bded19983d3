import type { ConnectionState } from '../../contract/connection'
import type { ErrorCode } from '../../contract/error-codes'
import { CausewayError } from '../errors'
import type { NetworkEvent } from '../platform/network/network-events'
import { type Remote, type TunnelEnd, type TunnelEvent, TunnelFailure } from '../tunnel/tunnel'
import type { HeldGrant } from './held-grant'
import { TimeLimit } from './attempts'
import { StateMachine } from './state-machine'
import { Supervisor } from './supervisor'

export const target = { instanceId: 'vpn.example.org', profileId: 'office' }
export const details = {
  addresses: {},
  remote: { address: '192.0.2.1', port: 1194, protocol: 'udp' },
} as const
export const connected: TunnelEvent = { event: 'connected', details }
export const lost: TunnelEvent = {
  event: 'restarting',
  reason: 'ping-restart',
  handshakeFailed: false,
  routes: 'kept',
}
export const failedAgain: TunnelEvent = {
  event: 'restarting',
  reason: 'server_poll',
  handshakeFailed: false,
  routes: 'kept',
}
export const tlsError: TunnelEvent = {
  event: 'restarting',
  reason: 'tls-error',
  handshakeFailed: true,
  routes: 'kept',
}
export const notListening: TunnelEvent = {
  event: 'refused',
  remote: { host: 'vpn.example.org', port: 1194, protocol: 'udp' },
}
export const refused = new TunnelFailure(
  { failureClass: 'refused', reason: 'authentication-failed' },
  'openvpn/authentication-failed',
)
export const unverified = new TunnelFailure(
  { failureClass: 'unverified', reason: 'tls-error' },
  'openvpn/server-not-verified',
)
export const unreachable = new TunnelFailure(
  { failureClass: 'retry', reason: 'unreachable' },
  'openvpn/unreachable',
)
export const portalGone = new CausewayError('http/unreachable', { details: { host: 'vpn.example.org' } })

/** The events of one run of the backend, and its error. Without an error it runs until it's stopped. */
export interface Run {
  readonly says?: readonly TunnelEvent[]
  readonly fails?: CausewayError
  /** It can't be started. */
  readonly throws?: Error
  /** It is being started until this settles. */
  readonly opens?: Promise<unknown>
  /** Its events after routes have changed. */
  readonly afterRoutes?: readonly TunnelEvent[]
  /** It finds its server again by itself. */
  readonly recovers?: true
}

/** A supervised tunnel with a scripted backend, portal and network. Delays end at once. */
export function world(
  runs: readonly Run[],
  answers: Partial<
    Pick<
      HeldGrant,
      | 'connected'
      | 'isExpired'
      | 'isReplacement'
      | 'isRefreshDue'
      | 'renew'
      | 'check'
      | 'refresh'
      | 'moveToTcp'
    >
  > = {},
  now = () => 1_000_000,
  {
    onDefect = (error: unknown): void => {
      throw error
    },
    isBehindCaptivePortal = () => Promise.resolve(false),
    isElsewhere = false,
    reconnect = true,
    onLog = (_line: string): void => undefined,
    wait = (): Promise<unknown> => Promise.resolve(),
  } = {},
) {
  const asked: string[] = []
  const delays: number[] = []
  const avoided: (readonly Remote[])[] = []
  const states: ConnectionState[] = []
  const watching = new Set<(event: NetworkEvent) => void>()
  const stop = new AbortController()
  const limit = new TimeLimit(60_000, stop.signal)
  const machine = new StateMachine((defect) => {
    throw defect
  })
  machine.send({ event: 'connect', target })
  machine.send({ event: 'prepare' })
  machine.send({ event: 'phase', phase: 'starting' })
  machine.onChange((state) => states.push(state))
  let started = 0
  let waitingForStop: () => void = () => undefined
  const stands = () =>
    new Promise<void>((resolve) => {
      waitingForStop = resolve
    })
  let idle = stands()
  const supervisor = new Supervisor(
    {
      onDefect,
      network: {
        watch: (listener) => {
          watching.add(listener)
          return () => watching.delete(listener)
        },
      },
      delay: (milliseconds) => {
        delays.push(milliseconds)
        return wait()
      },
      random: () => 0.5,
      now: () => new Date(now()),
      backend: {
        openTunnel: async (_, { avoid, onEvent }) => {
          avoided.push(avoid)
          const run = runs[started]
          started += 1
          await run?.opens
          if (run?.throws !== undefined) throw run.throws
          let end: (end: TunnelEnd) => void = () => undefined
          const ended = new Promise<TunnelEnd>((resolve) => {
            end = resolve
          })
          const goOn = async () => {
            await Promise.resolve()
            for (const event of run?.says ?? []) {
              onEvent(event)
              // Lets the supervisor handle the event.
              for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
            }
            if (run?.fails !== undefined) end({ end: 'failed', error: run.fails })
            else waitingForStop()
          }
          void goOn()
          return {
            ended,
            routesChanged: () => {
              for (const event of run?.afterRoutes ?? []) onEvent(event)
            },
            stop: async () => {
              end({ end: 'stopped' })
              await ended
            },
            ...(run?.recovers === true && {
              recover: () => {
                asked.push('recover')
                onEvent(connected)
              },
              pause: () => asked.push('pause'),
            }),
          }
        },
      },
    },
    {
      target,
      mode: 'full',
      preferTcp: false,
      reconnect,
      limit,
      machine,
      isBehindCaptivePortal,
      isElsewhere: () => Promise.resolve(isElsewhere),
      grant: {
        tunnel: { protocol: 'openvpn', profile: '', certificate: '', privateKey: '' },
        isExpired: () => answers.isExpired?.() ?? false,
        isReplacement: answers.isReplacement ?? false,
        isRefreshDue: (silentMs) => answers.isRefreshDue?.(silentMs) ?? true,
        connected: () => answers.connected?.(),
        renew: () => {
          asked.push('renew')
          return answers.renew?.() ?? Promise.resolve(true)
        },
        check: () => {
          asked.push('check')
          return answers.check?.() ?? Promise.resolve('accepted')
        },
        refresh: () => {
          asked.push('refresh')
          return answers.refresh?.() ?? Promise.resolve(false)
        },
        moveToTcp: () => {
          asked.push('tcp')
          return answers.moveToTcp?.() ?? Promise.resolve(false)
        },
      },
      onConnected: () => {
        limit.pause()
      },
      onMovedToTcp: () => asked.push('moved'),
      onLog,
    },
  )
  const running = supervisor.run()
  return {
    supervisor,
    asked,
    avoided,
    delays,
    states,
    running,
    started: () => started,
    /** Returns how many listen for events of the network. */
    watching: () => watching.size,
    /** Resolves when a run has sent all its events. */
    settled: async () => {
      await Promise.race([idle, running])
      idle = stands()
    },
    reconnect: () => {
      supervisor.again('reconnect')
    },
    tell: (event: NetworkEvent) => {
      for (const listener of watching) listener(event)
    },
    end: async () => {
      stop.abort()
      await running
    },
  }
}

export const times = <T>(count: number, of: T): T[] => Array.from({ length: count }, () => of)
export const codeOf = (running: Promise<void>): Promise<ErrorCode | undefined> =>
  running.then(
    () => undefined,
    (error: unknown) => (error instanceof CausewayError ? error.code : undefined),
  )

export const silent = new TunnelFailure(
  { failureClass: 'silent', reason: 'no-answer' },
  'wireguard/no-answer',
)
export const blocked = new TunnelFailure(
  { failureClass: 'blocked', reason: 'no-answer' },
  'wireguard/blocked',
)
export const rejectedCertificate = new TunnelFailure(
  { failureClass: 'credentials', reason: 'tls-error' },
  'openvpn/certificate-rejected',
)
