import type { WireGuardCounters } from '../../privilege/helper-messages'

/** Packets of this size on average are those of a transfer, among them ones that fill the MTU. */
const largeBytes = 500
/** The least packets of a connection that waits for its first large one: its three, and the request. */
const leastSent = 3
const leastReceived = 2
const pauseMs = 15_000

/**
 * Finds transfers that stall because large packets are lost on the way, from the counters of the device: both ends go on with
 * small packets, and nobody is told of the large ones.
 */
export class PacketSizes {
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
    if (this.#foundAt !== undefined && now - this.#foundAt < pauseMs) return false
    this.#foundAt = now
    this.#sent = 0
    this.#received = 0
    return true
  }

  reset(): void {
    this.#sent = 0
    this.#received = 0
  }
}
