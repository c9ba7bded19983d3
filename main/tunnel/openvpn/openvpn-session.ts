import { printable } from '../../../contract/safe-text'
import { type CausewayError, report } from '../../errors'
import { hasOnlyIpv6 } from '../../platform/http/only-ipv6'
import { checkTraffic } from '../../platform/traffic/traffic-check'
import type { ProgramExit } from '../../privilege/helper-client'
import { ProgramTunnel, type TunnelParts } from '../program-tunnel'
import type { Remote, TunnelOptions } from '../tunnel'
import { parseLogLine, withoutTimestamp } from './log-parser'
import { LostTunnel } from './lost-tunnel'
import { type ProgressEvent, advance, failureAtExit, initialProgress } from './tunnel-progress'
import { withoutKeyMaterial } from './without-key-material'

const maxLogLineLength = 500
const maxRefusedRoutes = 10

/** One run of OpenVPN, which says everything in its log. */
export class OpenVpnSession extends ProgramTunnel {
  #progress: ReturnType<typeof initialProgress>
  #previousLine = ''
  readonly #refusedRoutes = new Set<string>()
  #connectedTo: Remote | undefined
  /** The tunnel carries most traffic. */
  #most = false
  #lost: LostTunnel | undefined
  #checking: AbortController | undefined
  /** OpenVPN was asked to find its server again, because nothing passes. */
  #isAsked = false

  constructor(parts: TunnelParts, remotes: readonly Remote[], mode: TunnelOptions['mode']) {
    super(parts)
    this.#progress = initialProgress(remotes, mode)
  }

  protected onLine(written: string): void {
    const line = withoutKeyMaterial(written)
    this.tell({ event: 'log', line: printable(withoutTimestamp(line), maxLogLineLength) })
    const fact = parseLogLine(line, this.#previousLine)
    this.#previousLine = line
    if (fact?.fact === 'route-refused') this.#onRouteRefused(fact.reason)
    if (fact === undefined || this.isOver) return
    if (fact.fact === 'no-ipv4-route' && !hasOnlyIpv6()) return
    const { progress, events, verdict } = advance(this.#progress, fact)
    this.#progress = progress
    if (fact.fact === 'connected') this.#connectedTo = progress.remote
    for (const event of events) this.inOrder(() => this.#onProgress(event))
    if (verdict !== undefined) this.fail(verdict)
  }

  protected override onRoutesRead(): void {
    if (this.#lost === undefined) this.#checkPassing()
  }

  protected override hasBegun(): boolean {
    return this.#progress.tried.size > 0 || this.#progress.wasConnected
  }

  protected close(): void {
    this.#lost?.end()
    this.#endChecking()
  }

  protected failureAtExit(exit: ProgramExit): CausewayError {
    return failureAtExit(this.#progress, exit)
  }

  // Events that need no routes are told in the same tick, in order with the lines of the log.
  async #onProgress(event: ProgressEvent): Promise<void> {
    const { routing } = this.parts
    switch (event.event) {
      case 'connected': {
        const { details } = event
        const routed = await routing?.connected(details.device, details.dns?.servers)
        this.#lost?.end()
        this.#lost = undefined
        this.#most = routed?.most === true
        const dns = details.dns && (await this.setNameServers(details.dns, this.#most))
        this.tellUp({ ...details, dns }, routed)
        return
      }
      case 'restarting': {
        this.#endChecking()
        const reason = this.#isAsked ? 'no-answer' : event.reason
        this.#isAsked = false
        this.tell({ ...event, reason, routes: (await routing?.remainingRoutes()) ?? 'gone' })
        if (this.#lost !== undefined) await this.#lost.failedAgain()
        else if (routing !== undefined && this.#connectedTo !== undefined && !this.isOver)
          this.#lost = new LostTunnel({
            routing,
            remotes: this.#progress.remotes,
            connectedTo: this.#connectedTo,
            most: this.#most,
            onStuck: (tried) => {
              this.tell({ event: 'stuck', tried })
            },
          })
        return
      }
      case 'phase':
        if (event.remote !== undefined) routing?.contacting(event.remote.address)
        this.tell(event)
        if (event.phase === 'resolving') this.#lost?.notResolved()
        if (event.phase === 'contacting' && event.remote !== undefined)
          await this.#lost?.contacting(event.remote)
        return
      case 'refused':
      case 'log':
        this.tell(event)
    }
  }

  #onRouteRefused(reason: string): void {
    // Once for each: they come again with every reconnection.
    if (this.#refusedRoutes.size >= maxRefusedRoutes || this.#refusedRoutes.has(reason)) return
    this.#refusedRoutes.add(reason)
    this.parts.onNotice(
      report('openvpn/route-not-set', { details: { reason: printable(reason, maxLogLineLength) } }),
    )
  }

  /** Asks only addresses inside the tunnel, so the routes must have been read. */
  #checkPassing(): void {
    const { routing, trafficCheck } = this.parts
    const device = this.up?.device
    if (this.#checking !== undefined || this.isOver) return
    if (routing === undefined || device === undefined || trafficCheck === undefined) return
    this.#checking = new AbortController()
    const onPassing = (passing: boolean) => {
      this.inOrder(() => {
        if (this.#checking !== undefined) this.tell({ event: 'passing', passing })
      })
    }
    const onLost = () => {
      onPassing(false)
      this.inOrder(() => {
        this.#findServerAgain()
      })
    }
    const addresses = routing.answering(this.up?.dns?.servers ?? [])
    void checkTraffic(device, addresses, { onPassing, onLost }, this.#checking.signal, trafficCheck)
  }

  /** OpenVPN notices a loss only by the pings of its server, of which there may be none. Device and routes stay. */
  #findServerAgain(): void {
    if (this.#checking === undefined || this.isOver || this.parts.program.send === undefined) return
    this.#isAsked = true
    this.parts.program.send('restart')
  }

  #endChecking(): void {
    this.#checking?.abort()
    this.#checking = undefined
  }
}
