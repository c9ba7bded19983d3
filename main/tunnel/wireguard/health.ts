import type { ReconnectReason } from '../../../contract/connection'

/** The bytes of a datagram that carries no data. */
const keepaliveBytes = 32
const silenceMs = 15_000
/** The keys of a handshake are good for that long. */
const maxHandshakeAge = 180

/** The counters of a tunnel at one moment. */
export interface Sample {
  /** Milliseconds since the epoch. */
  readonly now: number
  /** Seconds since the last handshake. */
  readonly age: number
  readonly received: number
  readonly sent: number
}

/**
 * Tells from the counters whether a server has gone, which WireGuard doesn't say. A server that gets data answers within ten
 * seconds, if only with a keepalive. Keepalives themselves are not answered, so an idle tunnel receives nothing for two
 * minutes.
 */
export class Health {
  readonly #keepaliveMs: number
  /** The sample at which something was last received. */
  #last: Sample
  #previous: Sample
  #unansweredSince: number | undefined
  /** The number of samples with something sent since the keys are old. */
  #tooOld = 0

  /** @param keepalive the interval in seconds, 0 for none */
  constructor(first: Sample, keepalive: number) {
    this.#keepaliveMs = keepalive * 1000
    this.#last = first
    this.#previous = first
  }

  /** Returns what the sample says: `answered` if something was received since the last one, or why the tunnel is dead. */
  add(sample: Sample): 'answered' | 'quiet' | Extract<ReconnectReason, 'no-answer' | 'handshake-too-old'> {
    const { now, received, sent, age } = sample
    if (age <= maxHandshakeAge) this.#tooOld = 0
    else if (sent > this.#previous.sent) this.#tooOld += 1
    this.#previous = sample
    if (received > this.#last.received) {
      this.#last = sample
      this.#unansweredSince = undefined
      return 'answered'
    }
    const intervals = this.#keepaliveMs === 0 ? 0 : Math.ceil((now - this.#last.now) / this.#keepaliveMs)
    // One more: this end, too, confirms data with a keepalive.
    if (sent - this.#last.sent > keepaliveBytes * (intervals + 1)) this.#unansweredSince ??= now
    if (this.#unansweredSince !== undefined && now - this.#unansweredSince >= silenceMs) return 'no-answer'
    // Twice, because the first packet after a pause asks for the new keys.
    return this.#tooOld >= 2 ? 'handshake-too-old' : 'quiet'
  }

  /** Begins anew, because what was sent before may have been sent on another network. */
  reset(): void {
    this.#last = this.#previous
    this.#unansweredSince = undefined
    this.#tooOld = 0
  }
}
