import { spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { isIPv6 } from 'node:net'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Liveness } from './liveness'
import type { TrafficCounters, TrafficSource } from './traffic-source'

/** Waits after each question, in milliseconds: about nine seconds in all, before nothing is said to pass. */
const waits = [1000, 2000, 2000, 2000, 2000]
/** The wait between questions afterwards, until something passes. */
const laterMs = 10_000
/** The time between looks at a tunnel through which traffic passes. */
const watchMs = 5000
/** The time that data has to be answered: a little less than two looks, so that it's 15 s after a loss at most. */
const silenceMs = 9000

export interface TrafficCheckOptions {
  readonly counters: Pick<TrafficSource, 'read'>
  /** Sends something that an address answers. After round 0, resolves with true if it is known to have answered. */
  readonly ask: (address: string, round: number) => Promise<boolean>
  /** Rejects once the signal aborts. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<unknown>
  /** Go on while traffic passes. It takes a look at the counters every five seconds, which must cost next to nothing. */
  readonly goesOn: boolean
}

export interface TrafficListener {
  /** False if nothing passes through a tunnel that has just come up; true once something does, also after a loss. */
  readonly onPassing: (passing: boolean) => void
  /** Nothing passes any more through a tunnel that has answered before. */
  readonly onLost: () => void
}

/**
 * Checks that traffic passes through a tunnel. One that has just come up: a server may accept a client and then carry nothing, for
 * example if both sides frame packets differently, or if its network drops them. Asks addresses inside the tunnel, no third party,
 * and counts what the device receives. Calls back with false if that is nothing after nine seconds, and then with true once
 * something arrives. Doesn't call back if traffic passes from the start, or if it can't tell.
 *
 * One through which traffic passed: compares what programs hand to it with what comes back, and asks the same addresses while
 * nothing does. Resolves when it's over.
 *
 * @param addresses reached through the device: the tunnel's gateway and DNS servers
 */
export async function checkTraffic(
  device: string,
  addresses: readonly string[],
  listener: TrafficListener,
  signal: AbortSignal,
  options: TrafficCheckOptions,
): Promise<void> {
  const { counters, ask, goesOn } = options
  const start = await counters.read(device)
  if (start === undefined || addresses.length === 0) return
  for (let round = 0; ; round += 1) {
    for (const address of addresses) void ask(address, round)
    const now = await nextReading(device, waits[round] ?? laterMs, signal, options)
    if (now === undefined) return
    if (now.received > start.received) {
      if (round >= waits.length) listener.onPassing(true)
      // Other programs may have been answered: where these addresses never are, their silence means nothing.
      if (goesOn && (await Promise.all(addresses.map((address) => ask(address, 1)))).includes(true))
        await watch(device, now, addresses, listener, signal, options)
      return
    }
    // What was not sent has no answer.
    if (round === waits.length - 1) {
      if (now.sent <= start.sent) return
      listener.onPassing(false)
    }
  }
}

/** Watches a tunnel that has answered. */
async function watch(
  device: string,
  first: TrafficCounters,
  addresses: readonly string[],
  { onPassing, onLost }: TrafficListener,
  signal: AbortSignal,
  options: TrafficCheckOptions,
): Promise<void> {
  const carried = ({ at, sent, received }: TrafficCounters) => ({ now: at, handed: sent, answered: received })
  const liveness = new Liveness(carried(first))
  let isLost = false
  for (;;) {
    const now = await nextReading(device, watchMs, signal, options)
    if (now === undefined) return
    const found = liveness.add(carried(now), silenceMs)
    if (found === 'answered' && isLost) onPassing(true)
    if (found === 'dead' && !isLost) onLost()
    isLost = found === 'dead'
    if (found === 'doubtful' || isLost) for (const address of addresses) void options.ask(address, 1)
  }
}

/** Waits, and reads the counters; returns undefined once it's over, or if there are none any more. */
async function nextReading(
  device: string,
  milliseconds: number,
  signal: AbortSignal,
  { counters, wait }: TrafficCheckOptions,
): Promise<TrafficCounters | undefined> {
  try {
    await wait(milliseconds, signal)
  } catch {
    return undefined
  }
  const read = await counters.read(device)
  return signal.aborted ? undefined : read
}

/** Counts with this system's source. Asks over UDP, and then with `ping` too: a firewall may drop one of them. */
export function systemTrafficCheck(counters: Pick<TrafficSource, 'read' | 'isCheap'>): TrafficCheckOptions {
  return {
    counters,
    goesOn: counters.isCheap,
    ask: (address, round) => {
      askName(address)
      return round > 0 ? ping(address) : Promise.resolve(false)
    },
    wait: (milliseconds, signal) => delay(milliseconds, undefined, { signal, ref: false }),
  }
}

function ping(address: string): Promise<boolean> {
  const [program, ...words] = pingCommand(process.platform, address)
  return new Promise((resolve) => {
    // Without it the question over UDP is left.
    const child = spawn(program, words, { stdio: 'ignore', windowsHide: true })
      .on('error', () => {
        resolve(false)
      })
      .on('exit', (status) => {
        resolve(status === 0)
      })
    child.unref()
  })
}

/** Returns the command for one echo request, which ends in two seconds. */
export function pingCommand(platform: NodeJS.Platform, address: string): readonly [string, ...string[]] {
  if (platform === 'win32') {
    const folder = path.win32.join(process.env.SystemRoot ?? 'C:\\Windows', 'System32')
    return [path.win32.join(folder, 'PING.EXE'), '-n', '1', '-w', '2000', address]
  }
  if (platform === 'darwin')
    return isIPv6(address)
      ? ['/sbin/ping6', '-n', '-c', '1', '-i', '2', address]
      : ['/sbin/ping', '-n', '-c', '1', '-t', '2', address]
  return ['/bin/ping', '-n', '-c', '1', '-W', '2', address]
}

/** A DNS question for the name servers of the root; a host without a DNS server refuses it, which arrives too. */
const question = Buffer.from('4357010000010000000000000000020001', 'hex')

function askName(address: string): void {
  const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4')
  let isOpen = true
  const close = (): void => {
    if (isOpen) socket.close()
    isOpen = false
  }
  socket.on('error', close)
  // The answer is counted, not read. If the route has just gone, the error arrives here: an open socket would keep the program.
  socket.send(question, 53, address, close)
}
