import type { ErrorCode } from '../../preload/error-codes'
import type { ReconnectReason } from '../../preload/reconnect-reasons'
import { CausewayError, hasCode } from '../errors'
import type { NetworkEvent, NetworkEvents } from '../network/network-events'
import type { OpenVpnConfiguration, Remote, StartTunnel, TunnelEnd, TunnelEvent } from '../tunnel/tunnel'
import { tunnelFailure } from '../tunnel/openvpn/tunnel-failure'
import { backOffMs } from './back-off'
import { mayBeCaptivePortal } from './captive-portal'
import { type Delay, Pause } from './pause'
import type { ConnectionState, ConnectionTarget } from './state'
import type { TimeLimit } from './time-limit'
import { isAmong, withoutRemotes } from './without-remotes'
import { attemptAfter, stateAfterTunnelEvent } from './tunnel-state'

export interface SupervisorDependencies {
  readonly startTunnel: StartTunnel
  /** Watched while there is a tunnel; without it only the tunnel itself tells that something is wrong. */
  readonly network: NetworkEvents
  readonly delay: Delay
  /** A number from 0 up to 1. */
  random(): number
  now(): Date
}

/** One tunnel that is to stay, as its owner sees it. */
export interface Charge {
  readonly target: ConnectionTarget
  readonly mode: 'full' | 'handshake-only'
  /** Whether to build a tunnel anew that was up and is lost. */
  readonly reconnect: boolean
  /** Bounds the way to the first `connected`; its signal ends everything. */
  readonly limit: TimeLimit
  readonly state: () => ConnectionState
  readonly become: (state: ConnectionState) => void
  /** The configuration at hand. */
  readonly configuration: () => Promise<OpenVpnConfiguration>
  /** Whether the network wants a sign-in first; asked after failures that it would cause. */
  readonly isBehindCaptivePortal: () => Promise<boolean>
  /** Whether the certificate at hand has ended: no server takes it any more. */
  readonly certificateIsOver: () => boolean
  /** Gets a new certificate for it; false when the one at hand is new and has not been accepted yet. */
  readonly renewCertificate: (wasConnected: boolean) => Promise<boolean>
  /**
   * Asks the instance about the certificate at hand, which a server refused after the handshake, and gets a new one where
   * it does not accept it: `refused` when that one is new. Throws what the instance decides or why it could not be asked.
   */
  readonly checkCertificate: (wasConnected: boolean) => Promise<'accepted' | 'replaced' | 'refused'>
  /**
   * Gets configuration and certificate anew, without a login; true where they are others now than those at hand. Throws
   * what the instance decides or why it could not be asked.
   */
  readonly refetch: () => Promise<boolean>
  readonly onConnected: () => void
  readonly onLog: (line: string) => void
}

/** After this time a tunnel has proven itself, and its loss is a new beginning. */
const settledMs = 30_000

/** Until the tunnel was up once, so many refusals after the handshake are waited out: about half a minute. */
const mostRefusals = 6
/** After so many failed attempts to reconnect, the configuration may be out of date. */
const failuresUntilStale = 3

type Wake = 'at-once' | 'network-down'

/**
 * Keeps a tunnel up: starts OpenVPN, and starts it anew when it ends though it was connected, when the network below it
 * is another one, and when the computer was asleep. Until the tunnel was up once, every failure is final but a refusal after
 * the handshake, which a server that starts gives too: the instance is asked about the certificate, and where it accepts it
 * the refusal is waited out. Later, what time cannot mend is final.
 *
 * Attempts that go on failing may be due to a configuration from before a change of the servers: it is fetched anew, beside
 * OpenVPN at first, whose device and routes keep traffic from going round the tunnel; without it where that did not reach
 * the instance.
 */
export class Supervisor {
  readonly #dependencies: SupervisorDependencies
  readonly #charge: Charge
  readonly #pause: Pause<Wake>
  #wasConnected = false
  #failures = 0
  /** Refusals after the handshake in a row, and the last reason not to be let in. */
  #refusals = 0
  #refusal: CausewayError | undefined
  /** Since the tunnel was last up or its configuration was last fetched: its loss, and each attempt that failed. */
  #losses = 0
  /** A server failed in TLS since the tunnel was last up; `fetched` once that was followed up. */
  #tlsTrouble: 'none' | 'seen' | 'fetched' = 'none'
  /** The server that could not prove who it is, which ends it unless the configuration has changed. */
  #unverified: CausewayError | undefined
  /** The instance could not be reached beside OpenVPN. */
  #isCutOff = false
  #fetching: Promise<void> | undefined
  /** What the instance said meanwhile, which ends it. */
  #decision: { readonly error: unknown } | undefined
  /** In milliseconds since the epoch; of the tunnel whose end has not been seen to yet. */
  #connectedAt: number | undefined
  #networkDown = false
  /** Remotes that answered that nobody is there, in this round. */
  #refused: readonly Remote[] = []
  #interrupt: (() => void) | undefined
  #stopWatching: (() => void) | undefined

  constructor(dependencies: SupervisorDependencies, charge: Charge) {
    this.#dependencies = dependencies
    this.#charge = charge
    this.#pause = new Pause(dependencies.delay)
  }

  /** Resolves when the tunnel was stopped, with nothing left of it; throws what made it fail. */
  async run(): Promise<void> {
    try {
      for (;;) {
        if (this.#decision !== undefined) throw this.#decision.error
        if (this.#isStale()) await this.#fetchAnew()
        const end = this.#isUseless() ? certificateOver : await this.#runTunnel()
        if (end.end === 'stopped') return
        if (end.end === 'failed') await this.#afterFailure(end.error)
      }
    } catch (error) {
      // The refusal tells more than that its time is up.
      throw this.#charge.limit.exceeded ? (this.#refusal ?? error) : error
    } finally {
      this.#stopWatching?.()
      await this.#fetching
    }
  }

  /** Whether another attempt with the certificate at hand is in vain. A tunnel that is up stays while its server lets it. */
  #isUseless(): boolean {
    return this.#wasConnected && this.#charge.certificateIsOver()
  }

  /** Makes the next attempt now, where one is waited for or OpenVPN itself is at one. */
  retryNow(): void {
    if (this.#charge.state().state !== 'reconnecting') return
    this.#pause.end('at-once')
    this.#interrupt?.()
  }

  async #runTunnel(): Promise<TunnelEnd | { readonly end: 'interrupted' }> {
    const { target, mode, limit, become } = this.#charge
    const configuration = withoutRemotes(await this.#charge.configuration(), this.#refused)
    limit.throwIfOver()
    if (!this.#wasConnected) become({ state: 'connecting', target, phase: 'starting' })
    const fate: { lost?: CausewayError; interrupted: boolean } = { interrupted: false }
    const tunnel = await this.#dependencies.startTunnel({
      configuration,
      mode,
      onEvent: (event) => {
        if (event.event === 'log') this.#charge.onLog(event.line)
        if (limit.over || fate.interrupted || fate.lost !== undefined) return
        if (event.event === 'restarting' && !this.#charge.reconnect) {
          fate.lost = connectionLost(event.reason)
          void tunnel.stop()
        } else if (event.event === 'restarting' && this.#isUseless()) {
          // OpenVPN would show the same certificate for ever.
          fate.lost = certificateOver.error
          void tunnel.stop()
        } else if (event.event === 'refused') {
          // OpenVPN would wait for 10 s all the same.
          this.#refused = [...this.#refused, event.remote]
          if (configuration.remotes.every((remote) => isAmong(remote, this.#refused)))
            fate.lost = tunnelFailure('unreachable', { reason: 'refused' })
          else fate.interrupted = true
          void tunnel.stop()
        } else {
          this.#follow(event)
          if (event.event === 'restarting') this.#onRestarting(event.reason)
        }
      },
    })
    const stop = () => void tunnel.stop()
    limit.signal.addEventListener('abort', stop, { once: true })
    this.#interrupt = () => {
      fate.interrupted = true
      stop()
    }
    if (limit.over) stop()
    const end = await tunnel.ended
    this.#interrupt = undefined
    limit.signal.removeEventListener('abort', stop)
    if (limit.exceeded) return { end: 'failed', error: limit.error() }
    if (end.end === 'failed' || limit.over) return end
    if (fate.lost !== undefined) return { end: 'failed', error: fate.lost }
    return fate.interrupted ? { end: 'interrupted' } : end
  }

  #follow(event: TunnelEvent): void {
    const { target, state, become, onConnected } = this.#charge
    // OpenVPN tries on without a network; what it says of that is no news.
    if (this.#networkDown && event.event === 'restarting') return
    become(stateAfterTunnelEvent(state(), target, event, this.#dependencies.now()))
    if (event.event !== 'connected') return
    this.#wasConnected = true
    this.#connectedAt = this.#dependencies.now().getTime()
    this.#refused = []
    this.#refusals = 0
    this.#refusal = undefined
    this.#losses = 0
    this.#tlsTrouble = 'none'
    this.#isCutOff = false
    this.#networkDown = false
    if (this.#charge.reconnect) {
      this.#stopWatching ??= this.#dependencies.network.watch((happened) => {
        this.#onNetwork(happened)
      })
    }
    onConnected()
  }

  /** Returns when the next attempt is due; throws where there is none. */
  async #afterFailure(error: CausewayError): Promise<void> {
    const mayRetry = this.#wasConnected && this.#charge.reconnect
    if (error.code === 'openvpn/authentication-failed') {
      await this.#afterRefusal(error)
      return
    }
    this.#refusal = undefined
    if (mayRetry && error.code === 'openvpn/server-not-verified') {
      this.#unverified = error
      await this.#waitForAttempt('tls-error')
      return
    }
    if (error.code !== 'openvpn/certificate-rejected' && !this.#isUseless()) {
      const reason = lossOf(error)
      if (!mayRetry || reason === undefined) throw error
      const captive = mayBeCaptivePortal(error) && (await this.#charge.isBehindCaptivePortal())
      await this.#waitForAttempt(captive ? 'captive-portal' : reason)
      return
    }
    if (this.#wasConnected && !mayRetry) throw error
    try {
      if (!(await this.#charge.renewCertificate(this.#wasConnected))) throw error
    } catch (renewalError) {
      const reason = lossOf(renewalError)
      if (!mayRetry || reason === undefined) throw renewalError
      await this.#waitForAttempt(reason)
    }
  }

  /** Of a server that took the certificate: its hooks may not know it, or it cannot ask anybody who does. */
  async #afterRefusal(error: CausewayError): Promise<void> {
    if (this.#wasConnected && !this.#charge.reconnect) throw error
    this.#refusals += 1
    this.#refusal = error
    let reason: ReconnectReason = 'authentication-failed'
    try {
      const outcome = await this.#charge.checkCertificate(this.#wasConnected)
      if (outcome === 'refused') throw error
      if (outcome === 'replaced') return
    } catch (trouble) {
      if (trouble === error) throw error
      const loss = lossOf(trouble)
      if (loss === undefined || !(trouble instanceof CausewayError)) throw trouble
      reason = loss
      this.#refusal = trouble
    }
    if (!this.#wasConnected && this.#refusals >= mostRefusals) throw this.#refusal
    await this.#waitForAttempt(reason)
  }

  #noteLoss(isTlsTrouble: boolean): void {
    if (this.#networkDown) return
    this.#losses += 1
    // The first loss is that of the tunnel itself.
    if (isTlsTrouble && this.#losses > 1 && this.#tlsTrouble === 'none') this.#tlsTrouble = 'seen'
  }

  /** Whether the configuration at hand is to be fetched anew before another attempt is made with it. */
  #isStale(): boolean {
    if (!this.#wasConnected || !this.#charge.reconnect || this.#networkDown) return false
    return this.#losses > failuresUntilStale || this.#tlsTrouble === 'seen' || this.#unverified !== undefined
  }

  /** OpenVPN itself tries again. */
  #onRestarting(reason: string): void {
    this.#noteLoss(reason === 'tls-error')
    if (!this.#isStale()) return
    // Without the routes of the tunnel the instance may be reached: it is asked before the next attempt.
    if (this.#isCutOff) this.#interrupt?.()
    else this.#fetching ??= this.#fetchBeside()
  }

  /** While no OpenVPN runs. Throws what ends it. */
  async #fetchAnew(): Promise<void> {
    await this.#fetching
    const unverified = this.#unverified
    const outcome = await this.#refetch()
    this.#isCutOff = false
    if (unverified !== undefined && outcome === 'same') throw unverified
  }

  /** While OpenVPN goes on trying, which is ended where it does so in vain. */
  async #fetchBeside(): Promise<void> {
    try {
      const outcome = await this.#refetch()
      this.#isCutOff = outcome === 'cut-off'
      if (outcome !== 'changed' || this.#charge.state().state === 'connected') return
    } catch (error) {
      // A tunnel that is up again stays while its server lets it.
      if (this.#charge.state().state === 'connected') return
      this.#decision = { error }
    } finally {
      this.#fetching = undefined
    }
    this.#pause.end('at-once')
    this.#interrupt?.()
  }

  async #refetch(): Promise<'changed' | 'same' | 'cut-off' | 'unknown'> {
    // The next time is after as many failures again.
    this.#losses = 1
    if (this.#tlsTrouble === 'seen') this.#tlsTrouble = 'fetched'
    this.#unverified = undefined
    this.#refused = []
    try {
      return (await this.#charge.refetch()) ? 'changed' : 'same'
    } catch (error) {
      if (hasCode(error, ...decisions)) throw error
      // An instance that cannot be asked, or a configuration that cannot be used, leaves the one at hand.
      return mayBeCaptivePortal(error) ? 'cut-off' : 'unknown'
    }
  }

  async #waitForAttempt(reason: ReconnectReason): Promise<void> {
    const { target, limit, state, become } = this.#charge
    if (limit.over) return
    const now = this.#dependencies.now().getTime()
    // A server that takes a tunnel only to drop it is asked less and less often, too.
    if (this.#connectedAt !== undefined && now - this.#connectedAt >= settledMs) this.#failures = 0
    this.#connectedAt = undefined
    this.#failures += 1
    this.#refused = []
    if (this.#wasConnected) this.#noteLoss(reason === 'tls-error')
    const reconnecting = {
      state: 'reconnecting',
      target,
      reason,
      attempt: this.#wasConnected ? attemptAfter(state()) : this.#failures,
      ...(this.#wasConnected ? {} : { notYetConnected: true as const }),
    } as const
    const milliseconds = backOffMs(this.#failures, this.#dependencies.random())
    const nextAttemptAt = new Date(now + milliseconds)
    let ended: Wake | 'time' | 'aborted'
    do {
      become(
        this.#networkDown ? { ...reconnecting, waitingForNetwork: true } : { ...reconnecting, nextAttemptAt },
      )
      ended = await this.#pause.wait(this.#networkDown ? undefined : milliseconds, limit.signal)
    } while (ended === 'network-down')
    if (ended !== 'aborted') become(reconnecting)
  }

  #onNetwork(event: NetworkEvent): void {
    const { target, state, become, limit } = this.#charge
    // Without a network there is nothing to come back to yet; `up` follows.
    if (limit.over || (event === 'resumed' && this.#networkDown)) return
    this.#networkDown = event === 'down'
    const before = state()
    if (event === 'down') {
      // OpenVPN is left alone: its device and routes keep traffic from going round the tunnel.
      if (this.#interrupt !== undefined) {
        become({
          state: 'reconnecting',
          target,
          reason: 'network-down',
          attempt: before.state === 'reconnecting' ? before.attempt : 1,
          waitingForNetwork: true,
        })
      }
      this.#pause.end('network-down')
      return
    }
    if (this.#interrupt !== undefined) {
      become({
        state: 'reconnecting',
        target,
        reason: event === 'resumed' ? 'resumed-from-sleep' : 'network-changed',
        attempt: before.state === 'reconnecting' && !before.waitingForNetwork ? attemptAfter(before) : 1,
      })
    }
    this.#failures = 0
    // The attempts in another network say nothing about this one.
    this.#losses = Math.min(this.#losses, 1)
    if (this.#tlsTrouble === 'seen') this.#tlsTrouble = 'none'
    this.#isCutOff = false
    this.#pause.end('at-once')
    this.#interrupt?.()
  }
}

const certificateOver = {
  end: 'failed',
  error: tunnelFailure('certificate-rejected', { reason: 'it has expired' }),
} as const

const losses: readonly (readonly [ErrorCode, ReconnectReason])[] = [
  ['openvpn/unreachable', 'unreachable'],
  ['openvpn/name-not-resolved', 'name-not-resolved'],
  ['openvpn/stopped-unexpectedly', 'stopped-unexpectedly'],
  ['http/unreachable', 'unreachable'],
  ['http/timed-out', 'timed-out'],
  ['vpn-api/server-error', 'service-error'],
  ['oauth/server-error', 'service-error'],
  ['discovery/server-error', 'service-error'],
]

/** What an instance says that no further attempt changes. */
const decisions: readonly ErrorCode[] = ['certificate/refused', 'vpn-api/profile-unavailable']

/** A word for what time may mend. Everything else is somebody's decision, or needs a person: undefined. */
export function lossOf(error: unknown): ReconnectReason | undefined {
  return losses.find(([code]) => hasCode(error, code))?.[1]
}

function connectionLost(reason: string): CausewayError {
  return new CausewayError(
    'connection/lost',
    'The connection was lost, and reconnecting is turned off. Connect again, or turn on the setting "reconnect".',
    { details: { reason } },
  )
}
