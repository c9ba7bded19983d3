import type { ReconnectReason } from '../../../contract/connection'
import { Liveness } from '../../platform/traffic/liveness'
import type { WireGuardCounters } from '../../privilege/helper-messages'

/** The bytes of WireGuard's own datagrams: the two of a handshake, and one that carries no data. */
const initiationBytes = 148
const responseBytes = 92
const keepaliveBytes = 32
/** Both ends begin a handshake at most once in five seconds, and answer that of the other. */
const handshakeMs = 5000
/** The keys of a handshake are good for that long. */
const maxHandshakeAge = 180

/** The counters of a tunnel at one moment. */
export interface Sample extends WireGuardCounters {
  /** Milliseconds since the epoch. */
  readonly now: number
  /** Seconds since the last handshake. */
  readonly age: number
}

/**
 * Tells from the counters whether a server has gone, which WireGuard doesn't say. A server that gets data answers within ten
 * seconds, if only with a keepalive. A handshake is no answer: a server that gets nothing begins ones of its own.
 */
export class Health {
  readonly #liveness: Liveness
  readonly #keepaliveMs: number
  #previous: Sample
  #handed = 0
  #answered = 0
  /** The number of samples with something sent since the keys are old. */
  #tooOld = 0

  /** @param keepalive the interval in seconds, 0 for none */
  constructor(first: Sample, keepalive: number) {
    this.#keepaliveMs = keepalive * 1000
    this.#previous = first
    this.#liveness = new Liveness({ now: first.now, handed: 0, answered: 0 })
  }

  /** The bytes that the server has sent so far beside handshakes. */
  get answered(): number {
    return this.#answered
  }

  /** Returns what the sample says: `answered` if data or its confirmation was received, or why the tunnel is dead. */
  add(
    sample: Sample,
    silenceMs: number,
  ): 'answered' | 'quiet' | 'doubtful' | Extract<ReconnectReason, 'no-answer' | 'handshake-too-old'> {
    const before = this.#previous
    this.#previous = sample
    if (sample.age <= maxHandshakeAge) this.#tooOld = 0
    else if (sample.sent > before.sent) this.#tooOld += 1
    const received = sample.received - before.received
    if (!isSumOf(received, maxHandshakes(before, sample), 0)) this.#answered += received
    this.#handed += this.#handedBetween(before, sample)
    const carried = { now: sample.now, handed: this.#handed, answered: this.#answered }
    const found = this.#liveness.add(carried, silenceMs)
    if (found === 'dead') return 'no-answer'
    // Twice, because the first packet after a pause asks for the new keys.
    return found !== 'answered' && this.#tooOld >= 2 ? 'handshake-too-old' : found
  }

  /** Begins anew, because what was sent before may have been sent on another network. */
  reset(): void {
    this.#liveness.reset()
    this.#tooOld = 0
  }

  /** Returns what programs have handed to the device, in packets or bytes. */
  #handedBetween(before: Sample, sample: Sample): number {
    const lost = (sample.device?.lost ?? 0) - (before.device?.lost ?? 0)
    if (sample.device?.outPackets !== undefined)
      return sample.device.outPackets - (before.device?.outPackets ?? 0) + lost
    const bytes = sample.sent - before.sent
    const intervals = this.#keepaliveMs === 0 ? 0 : Math.ceil(msBetween(before, sample) / this.#keepaliveMs)
    // One more: this end, too, confirms data with a keepalive.
    return lost + (isSumOf(bytes, maxHandshakes(before, sample), intervals + 1) ? 0 : bytes)
  }
}

/**
 * The longest time between two samples. A longer one was spent asleep, when nothing is sent, or the clock was set: the time is no measure
 * then of what WireGuard may have sent, and to try all sums of it would take minutes.
 */
const longestMs = 60_000

function msBetween(before: Sample, sample: Sample): number {
  return Math.min(Math.max(sample.now - before.now, 0), longestMs)
}

function maxHandshakes(before: Sample, sample: Sample): number {
  return 2 + 2 * Math.ceil(msBetween(before, sample) / handshakeMs)
}

/** Returns true if so many bytes are those of at most so many messages of handshakes, and keepalives. */
function isSumOf(bytes: number, handshakes: number, keepalives: number): boolean {
  for (let initiations = 0; initiations <= handshakes; initiations += 1)
    for (let responses = 0; responses <= handshakes - initiations; responses += 1) {
      const rest = bytes - initiations * initiationBytes - responses * responseBytes
      if (rest >= 0 && rest % keepaliveBytes === 0 && rest / keepaliveBytes <= keepalives) return true
    }
  return false
}
