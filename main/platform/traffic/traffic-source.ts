/** Byte counters of a network device. */
export interface TrafficCounters {
  /** Time of the reading in milliseconds since the epoch. */
  readonly at: number
  readonly received: number
  readonly sent: number
}

/** Reads the counters of a network device, which may be reset at any time. */
export interface TrafficSource {
  /** True if the counters start with the tunnel, because its device is created for it. */
  readonly fromZero: boolean
  /** True if reading them starts no program. */
  readonly isCheap: boolean
  /** Returns undefined if there are none: no such device, one of another network namespace, no rights. Never rejects. */
  read(device: string): Promise<TrafficCounters | undefined>
}
