import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'

import { CausewayError } from '../../errors'

const [lowest, highest] = [1024, 65_535]
/** The ports that the kernel gives to connections, unless it says otherwise; macOS and Windows have those of IANA. */
const usual = { linux: { first: 32_768, last: 60_999 }, others: { first: 49_152, last: 65_535 } }
const tries = 20
const maxPorts = 8

/** The port that the client connects from; `any` if a proxy on this computer connects for it. */
export type DialPort = number | 'any'

/**
 * The ports that a client connects from in turn. The kernel keeps the port of a connection for a minute after its end, and the
 * helper notes each of them, so that there are few.
 */
export class DialPorts {
  #current: DialPort
  #isSpent = false
  /** Those that have had a connection, the oldest first. */
  readonly #used: number[] = []

  constructor(first: DialPort) {
    this.#current = first
  }

  get current(): DialPort {
    return this.#current
  }

  /** Called when there is a connection from the current port. */
  use(): void {
    this.#isSpent = true
    if (this.#current !== 'any') this.#used.push(this.#current)
  }

  /** Called if another program has the current port, or the kernel still keeps it. */
  giveUp(): void {
    this.#isSpent = true
  }

  /** Returns the port for the next connection: the same one if there was none from it. */
  async next(): Promise<DialPort> {
    if (this.#current === 'any' || !this.#isSpent) return this.#current
    this.#isSpent = false
    const oldest = this.#used.length < maxPorts ? undefined : this.#used.shift()
    this.#current = oldest ?? (await freeDialPort())
    return this.#current
  }
}

/**
 * Returns a TCP port that is free now, outside the range from which the kernel chooses for connections. The helper lets the
 * connections from it past a full tunnel, and a program that asks for no port in particular must never get it: a web page can
 * make a browser open as many connections as there are ports.
 */
export async function freeDialPort(
  random: (below: number) => number = randomInt,
  platform: NodeJS.Platform = process.platform,
): Promise<number> {
  const { first, last } = await chosenByKernel(platform)
  const below = Math.max(first - lowest, 0)
  const count = below + Math.max(highest - last, 0)
  for (let tried = 0; tried < tries && count > 0; tried += 1) {
    const at = random(count)
    const port = await taken(at < below ? lowest + at : last + 1 + at - below)
    if (port !== undefined) return port
  }
  // Where the kernel chooses from all ports, one of those has to do.
  const port = await taken(0)
  if (port === undefined) throw new CausewayError('proxyguard/unreachable')
  return port
}

async function chosenByKernel(
  platform: NodeJS.Platform,
): Promise<{ readonly first: number; readonly last: number }> {
  if (platform === 'darwin' || platform === 'win32') return usual.others
  const text = await readFile('/proc/sys/net/ipv4/ip_local_port_range', 'latin1').catch(() => '')
  const [, first, last] = /^(\d+)\s+(\d+)\s*$/.exec(text) ?? []
  return first === undefined ? usual.linux : { first: Number(first), last: Number(last) }
}

/** Takes a port and gives it back at once; undefined if another program has it. */
async function taken(port: number): Promise<number | undefined> {
  const server = createServer()
  try {
    server.listen(port)
    await once(server, 'listening')
  } catch {
    return undefined
  }
  const { port: own } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return own
}
