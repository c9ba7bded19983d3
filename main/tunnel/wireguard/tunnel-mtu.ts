import { prefixRange, rangesOf } from '../../platform/routes/address-range'
import type { WireGuardCounters } from '../../privilege/helper-messages'

/** Every network has room for it, and IPv6 needs it. */
const smallMtu = 1280
/** Packets of this size on average are those of a transfer, among them ones that fill the MTU. */
const largeBytes = 500
/** The least packets of a connection that waits for its first large one: its three, and the request. */
const leastSent = 3
const leastReceived = 2
const pauseMs = 15_000

interface TunnelMtuOptions {
  /** Those of this end, with the lengths of their networks. */
  readonly addresses: readonly string[]
  /** What the service asks for, if it does. */
  readonly mtu: number | undefined
  /** Sends a command to the helper. */
  readonly send: (command: 'test' | 'mtu full' | `mtu ${number}`) => void
}

/**
 * Lowers the MTU where large packets are lost on the way, and raises it again on another network. The gateway's answers to pings
 * tell; where it answers none, a transfer that stalls does.
 */
export class TunnelMtu {
  readonly #options: TunnelMtuOptions
  readonly #stalls = new Stalls()
  /** It is, or is about to be, the small one. */
  #isLowered = false
  /** A transfer has stalled since the last answer. */
  #isStalled = false
  #gatewayAnswers: boolean | undefined

  constructor(options: TunnelMtuOptions) {
    this.#options = options
    this.#gatewayAnswers = this.#unknown
  }

  /** Whether the gateway answers pings; undefined before the first test on a network. */
  get gatewayAnswers(): boolean | undefined {
    return this.#gatewayAnswers
  }

  /** Handles the counters: small packets that are answered while no large ones come may mean that those are lost. */
  add(sample: Parameters<Stalls['add']>[0]): void {
    if (!this.#stalls.add(sample) || this.#isLowered) return
    this.#isStalled = true
    if (this.#gatewayAnswers === false) this.#lower()
    else this.#options.send('test')
  }

  /** Handles the outcome of a test. */
  tested(outcome: 'full' | 'small' | 'none'): void {
    if (outcome === 'none') this.#gatewayAnswers ??= false
    else this.#gatewayAnswers = true
    if (outcome === 'small' || (outcome === 'none' && this.#isStalled)) this.#lower()
    else if (outcome === 'full') this.#isStalled = false
  }

  /** Tests a lower MTU, too: nothing may pass any more. */
  changed(): void {
    if (this.#isLowered) this.#options.send('test')
  }

  /** Another network may have more room, or less. */
  inAnotherNetwork(): void {
    this.#isStalled = false
    this.#gatewayAnswers = this.#unknown
    this.#stalls.reset()
    if (this.#isLowered) this.#options.send('mtu full')
    this.#isLowered = false
  }

  get #unknown(): false | undefined {
    return this.#options.addresses.some(hasGateway) ? undefined : false
  }

  #lower(): void {
    this.#isStalled = false
    const { mtu, send } = this.#options
    if (this.#isLowered || (mtu !== undefined && mtu <= smallMtu)) return
    this.#isLowered = true
    send(`mtu ${smallMtu}`)
  }
}

/**
 * Finds transfers that stall because large packets are lost on the way, from the counters of the device: both ends go on with
 * small packets, and nobody is told of the large ones.
 */
export class Stalls {
  #previous: WireGuardCounters['device']
  #sent = 0
  #received = 0
  #foundAt: number | undefined

  /** Returns true if small packets went both ways and no large one came since this was last so, at most every 15 s. */
  add({ now, device }: { readonly now: number } & Pick<WireGuardCounters, 'device'>): boolean {
    const before = this.#previous
    this.#previous = device
    if (device === undefined || before === undefined) return false
    const received = device.inPackets - before.inPackets
    if (received > 0 && (device.inBytes - before.inBytes) / received >= largeBytes) {
      this.reset()
      return false
    }
    this.#received += received
    // Where the device counts WireGuard's own packets, too, only what it receives is known.
    this.#sent += device.outPackets === undefined ? received : device.outPackets - (before.outPackets ?? 0)
    if (this.#sent < leastSent || this.#received < leastReceived) return false
    // After a clock was set back, nobody knows how long ago that was.
    if (this.#foundAt !== undefined && now >= this.#foundAt && now - this.#foundAt < pauseMs) return false
    this.#foundAt = now
    this.reset()
    return true
  }

  reset(): void {
    this.#sent = 0
    this.#received = 0
  }
}

/** Returns false for an address without a network around it, or that is the first host itself: nobody is there to ping. */
function hasGateway(address: string): boolean {
  const [network, [own]] = [prefixRange(address), rangesOf([address.replace(/\/\d+$/, '')])]
  if (network === undefined || own === undefined) return false
  const gateway = network.first + 1n
  return gateway <= network.last && gateway !== own.first
}
