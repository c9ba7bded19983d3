import type { TunnelDetails } from '../../contract/connection'
import type { ErrorReport } from '../../contract/error-codes'
import { CausewayError, report } from '../errors'
import type { ObservedRouting } from '../platform/routes/observed-routing'
import type { TrafficCheckOptions } from '../platform/traffic/traffic-check'
import type { ProgramExit, TunnelProgram } from '../privilege/helper-client'
import type { DnsOutcome, HelperMessage } from '../privilege/helper-messages'
import { type Tunnel, type TunnelEnd, type TunnelEvent, mayStillBeUp } from './tunnel'

export interface TunnelParts {
  readonly program: TunnelProgram
  readonly platform: NodeJS.Platform
  /** Undefined without a device. */
  readonly routing: ObservedRouting | undefined
  readonly trafficCheck: TrafficCheckOptions | undefined
  readonly onEvent: (event: TunnelEvent) => void
  /** Receives notices for the user that stop nothing. */
  readonly onNotice: (notice: ErrorReport) => void
}

/** A tunnel that a program provides, from its start to its end; a protocol says what its log and its messages mean. */
export abstract class ProgramTunnel implements Tunnel {
  readonly ended: Promise<TunnelEnd>
  protected readonly parts: TunnelParts
  /** The tunnel when it was last up, without what it carries. */
  protected up: TunnelDetails | undefined
  #isStopped = false
  /** The program has ended; `#hasEnded`: and all that it said has been judged. */
  #isGone = false
  #hasEnded = false
  #isDnsLost = false
  #verdict: CausewayError | undefined
  readonly #waiting: (() => void | Promise<void>)[] = []
  #working: Promise<void> | undefined

  constructor(parts: TunnelParts) {
    this.parts = parts
    // Once the protocol's own fields are there.
    this.ended = Promise.resolve().then(() => this.#run())
  }

  async stop(): Promise<void> {
    if (!this.isOver) this.#end()
    this.#isStopped = true
    await this.ended
  }

  routesChanged(): void {
    this.inOrder(async () => {
      const changed = this.#isStopped ? undefined : await this.parts.routing?.changed()
      if (changed !== undefined && this.up !== undefined && !this.isOver)
        this.tell({ event: 'routes', details: { ...this.up, ...changed.carried }, routes: changed.routes })
      this.onRoutesRead()
    })
  }

  /** Ends the tunnel with this error, unless it has another one. */
  fail(error: CausewayError): void {
    if (this.isOver) return
    this.#verdict = error
    this.#end()
  }

  /** Handles a message of the helper, also given as text. */
  onMessage(message: HelperMessage, text: string): void {
    if (this.belongsToLog(message)) this.tell({ event: 'log', line: text })
    if (message.message !== 'dns') return
    const { outcome } = message
    if (outcome === 'lost') this.#onDnsLost()
    else if (outcome === 'applied' && this.#isDnsLost) this.#onDnsBack(message)
  }

  /** Returns false for a message that only answers a question asked all the time. */
  protected belongsToLog(_message: HelperMessage): boolean {
    return true
  }

  /** Handles a line of the program's log. */
  protected abstract onLine(line: string): void

  /** Ends timers and questions; called when the program is asked to end, and when it has ended. */
  protected abstract close(): void

  /** Called when the program has ended, to let go of what it needed. */
  protected release(): void {
    // Most programs need nothing.
  }

  /** Returns the error of a program that ended by itself. */
  protected abstract failureAtExit(exit: ProgramExit): CausewayError

  /** Returns true if the program has something to clean up. */
  protected hasBegun(): boolean {
    return true
  }

  /** Called when the routes have been read while the tunnel is up. */
  protected onRoutesRead(): void {
    // Only some protocols need to know.
  }

  protected get isOver(): boolean {
    return this.#isStopped || this.#hasEnded || this.#verdict !== undefined
  }

  protected tell(event: TunnelEvent): void {
    if ((this.#hasEnded || this.#verdict !== undefined) && event.event !== 'log') return
    try {
      this.parts.onEvent(event)
    } catch (cause) {
      this.fail(new CausewayError('internal/unexpected', { cause }))
    }
  }

  /**
   * Runs work in order, one at a time. Without work that waits it runs in the same tick, so that synchronous work stays in
   * order with the lines of the log.
   */
  protected inOrder(work: () => void | Promise<void>): void {
    this.#waiting.push(work)
    this.#working ??= this.#workOff()
  }

  /** Tells that the tunnel is up, with what it carries. */
  protected tellUp(
    details: TunnelDetails,
    routed: Awaited<ReturnType<ObservedRouting['connected']>> | undefined,
  ): void {
    // It was stopped, or has ended, while its routes were read or its name servers were set.
    if (this.isOver || this.#isGone) return
    const { dns } = details
    if (dns?.applied === false && dns !== this.up?.dns) this.#reportDnsNotSet(dns.problem)
    const hadDns = this.up === undefined || this.up.dns !== undefined
    if (dns === undefined && hadDns && routed?.carried.allTraffic === true)
      this.parts.onNotice(report('connection/no-dns-servers'))
    this.up = details
    this.tell({ event: 'connected', details: { ...details, ...routed?.carried } })
    // While the tunnel was still coming up.
    if (this.#isDnsLost) this.#onDnsLost()
    if (routed?.mustBeChecked === true) this.routesChanged()
    else this.onRoutesRead()
  }

  /**
   * Sets the name servers of the tunnel: until then, queries would leave outside it.
   *
   * @param most the tunnel carries most traffic, so it resolves all names; its domains complete short names
   */
  protected async setNameServers(
    { servers, domains }: { readonly servers: readonly string[]; readonly domains: readonly string[] },
    most: boolean,
  ): Promise<NonNullable<TunnelDetails['dns']>> {
    this.#isDnsLost = false
    const set = await this.parts.program.applyDns?.({
      servers,
      domains: most ? ['.', ...domains] : domains,
    })
    return { servers, domains, ...(set ?? { applied: false }) }
  }

  #reportDnsNotSet(problem?: DnsOutcome['problem']): void {
    // Only Linux has more to install for name servers.
    const variant = this.parts.platform === 'linux' ? undefined : 'other-system'
    this.parts.onNotice(report('helper/dns-not-set', { variant: problem ?? variant }))
  }

  /** The other program has given up. */
  #onDnsBack({ way, allNames }: Pick<DnsOutcome, 'way' | 'allNames'>): void {
    this.#isDnsLost = false
    if (this.up?.dns?.applied !== false) return
    const { servers, domains } = this.up.dns
    this.up = { ...this.up, dns: { servers, domains, applied: true, way, allNames } }
    this.routesChanged()
  }

  /** Another program has taken DNS back, and insists on it. */
  #onDnsLost(): void {
    this.#isDnsLost = true
    if (this.up?.dns?.applied !== true) return
    const { servers, domains } = this.up.dns
    this.up = { ...this.up, dns: { servers, domains, applied: false } }
    this.#reportDnsNotSet()
    this.routesChanged()
  }

  async #workOff(): Promise<void> {
    for (let work = this.#waiting.shift(); work !== undefined; work = this.#waiting.shift()) await work()
    this.#working = undefined
  }

  #end(): void {
    this.close()
    this.parts.program.end({ hasBegun: this.hasBegun() })
  }

  async #run(): Promise<TunnelEnd> {
    void this.parts.program.exited.then(() => {
      this.#isGone = true
    })
    await this.parts.program.followLog((line) => {
      this.onLine(line)
    })
    await this.#working
    const { error, ...exit } = await this.parts.program.exited
    this.#hasEnded = true
    this.close()
    this.release()
    if (error !== undefined && mayStillBeUp(error)) return { end: 'failed', error }
    if (this.#verdict !== undefined) return { end: 'failed', error: this.#verdict }
    if (this.#isStopped) return { end: 'stopped' }
    return { end: 'failed', error: error ?? this.failureAtExit(exit) }
  }
}
