import { spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { isIPv6 } from 'node:net'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { TrafficSource } from './traffic-source'

/** Waits after each question, in milliseconds: about nine seconds in all, before nothing is said to pass. */
const waits = [1000, 2000, 2000, 2000, 2000]
/** The wait between questions afterwards, until something passes. */
const laterMs = 10_000

export interface TrafficCheckOptions {
  readonly counters: Pick<TrafficSource, 'read'>
  /** Sends something that an address answers. */
  readonly ask: (address: string, round: number) => void
  /** Rejects once the signal aborts. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<unknown>
}

/**
 * Checks that traffic passes through a tunnel that has just come up: a server may accept a client and then carry nothing, for
 * example if both sides frame packets differently, or if its network drops them. Asks addresses inside the tunnel, no third party,
 * and counts what the device receives. Calls back with false if that is nothing after nine seconds, and then with true once
 * something arrives. Doesn't call back if traffic passes from the start, or if it can't tell. Resolves when it's over.
 *
 * @param addresses reached through the device: the tunnel's gateway and DNS servers
 */
export async function checkTraffic(
  device: string,
  addresses: readonly string[],
  onPassing: (passing: boolean) => void,
  signal: AbortSignal,
  { counters, ask, wait }: TrafficCheckOptions,
): Promise<void> {
  const start = await counters.read(device)
  if (start === undefined || addresses.length === 0) return
  for (let round = 0; ; round += 1) {
    for (const address of addresses) ask(address, round)
    try {
      await wait(waits[round] ?? laterMs, signal)
    } catch {
      return
    }
    const now = await counters.read(device)
    if (signal.aborted || now === undefined) return
    if (now.received > start.received) {
      if (round >= waits.length) onPassing(true)
      return
    }
    // What was not sent has no answer.
    if (round === waits.length - 1) {
      if (now.sent <= start.sent) return
      onPassing(false)
    }
  }
}

/** Counts with this system's source. Asks over UDP, and then with `ping` too: a firewall may drop one of them. */
export function systemTrafficCheck(counters: Pick<TrafficSource, 'read'>): TrafficCheckOptions {
  return {
    counters,
    ask: (address, round) => {
      askName(address)
      if (round > 0) ping(address)
    },
    wait: (milliseconds, signal) => delay(milliseconds, undefined, { signal, ref: false }),
  }
}

function ping(address: string): void {
  const [program, ...words] = pingCommand(process.platform, address)
  // Without it the question over UDP is left.
  const child = spawn(program, words, { stdio: 'ignore', windowsHide: true }).on('error', () => undefined)
  child.unref()
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
