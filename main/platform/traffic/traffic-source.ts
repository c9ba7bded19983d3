/** What has gone through a network device, in bytes, as its system counts them. */
export interface TrafficCounters {
  /** When they were read; milliseconds since the epoch. */
  readonly at: number
  readonly received: number
  readonly sent: number
}

/** Where the counters of a network device come from. They may begin anew at any time. */
export interface TrafficSource {
  /** Whether they are those of the tunnel alone: its device is made for it and is gone afterwards. */
  readonly fromZero: boolean
  /** Undefined where there are none: no such device, one of another network namespace, no rights. Never rejects. */
  read(device: string): Promise<TrafficCounters | undefined>
}
