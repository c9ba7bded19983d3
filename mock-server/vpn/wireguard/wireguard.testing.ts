import { execFileSync, spawn } from 'node:child_process'
import { createSocket, type RemoteInfo } from 'node:dgram'
import { once } from 'node:events'
import { request } from 'node:https'
import { generateKeyPairSync } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import type { Duplex } from 'node:stream'
import { isAnswered } from './start-wireguard'

const run = (command: string, ...parameters: string[]) => execFileSync(command, parameters, { stdio: 'pipe' })
const limitMs = 60_000

/** Returns a private and a public WireGuard key, in base64. */
export function newWireguardKeys(): { privateKey: string; publicKey: string } {
  const keys = generateKeyPairSync('x25519')
  const last32 = (der: Buffer) => der.subarray(-32).toString('base64')
  return {
    privateKey: last32(keys.privateKey.export({ format: 'der', type: 'pkcs8' })),
    publicKey: last32(keys.publicKey.export({ format: 'der', type: 'spki' })),
  }
}

/**
 * A WireGuard client for tests: wireguard-go in this network namespace, with its device in one of its own, so that a
 * configuration changes nothing for this machine.
 */
export class TestWireguard {
  readonly #name: string
  readonly #stop: () => Promise<void>

  private constructor(name: string, stop: () => Promise<void>) {
    this.#name = name
    this.#stop = stop
  }

  /** Starts a client with the text of `/connect`; `endpoint` replaces that of the text. */
  static async start(config: string, privateKey: string, endpoint?: string): Promise<TestWireguard> {
    const name = `cwt${process.pid}`
    const child = spawn('wireguard-go', ['-f', name], { stdio: 'ignore' })
    const ended = once(child, 'exit')
    const limit = Date.now() + limitMs
    while (!(await isAnswered(name))) {
      if (Date.now() > limit || child.exitCode !== null) throw new Error('wireguard-go could not start.')
      await wait(20)
    }
    const lines = config.split('\n').filter((line) => !/^(MTU|Address|DNS|ProxyEndpoint) =/.test(line))
    const server = lines
      .map((line) => (line === '[Interface]' ? `${line}\nPrivateKey = ${privateKey}` : line))
      .map((line) =>
        endpoint !== undefined && line.startsWith('Endpoint') ? `Endpoint = ${endpoint}` : line,
      )
    execFileSync('sh', ['-c', `cat | wg setconf ${name} /dev/stdin`], { input: `${server.join('\n')}\n` })
    run('ip', 'netns', 'add', name)
    run('ip', 'link', 'set', name, 'netns', name)
    const value = (key: string) => new RegExp(`^${key} = (.*)$`, 'm').exec(config)?.[1]?.split(',') ?? []
    for (const address of value('Address')) {
      run('ip', '-n', name, 'address', 'add', address, 'dev', name, 'nodad')
    }
    run('ip', '-n', name, 'link', 'set', name, 'mtu', value('MTU')[0] ?? '', 'up')
    for (const network of value('AllowedIPs')) run('ip', '-n', name, 'route', 'replace', network, 'dev', name)
    return new TestWireguard(name, async () => {
      child.kill('SIGTERM')
      await ended
      run('ip', 'netns', 'delete', name)
    })
  }

  /** Returns true if a ping is answered within some seconds; a full-size ping has no room for a smaller MTU. */
  async answers(address: string, seconds: number, size = 56): Promise<boolean> {
    const options = ['-n', '-c', '1', '-w', String(seconds), '-i', '0.2', '-M', 'do', '-s', String(size)]
    const child = spawn('ip', ['netns', 'exec', this.#name, 'ping', ...options, address], { stdio: 'ignore' })
    const [status] = (await once(child, 'exit')) as [number | null]
    return status === 0
  }

  /** Runs a program in the client's namespace, and returns its output, even if it fails. */
  async run(...command: string[]): Promise<string> {
    const child = spawn('ip', ['netns', 'exec', this.#name, ...command], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [output] = await Promise.all([text(child.stdout), once(child, 'exit')])
    return output.trim()
  }

  stop(): Promise<void> {
    return this.#stop()
  }
}

/** Returns the status of a ProxyGuard server, and the connection if it is 101. Rejects if there is none. */
export function dialProxy(
  url: string,
  ca: Buffer,
  signal?: AbortSignal,
): Promise<{ status: number; socket?: Duplex }> {
  return new Promise((resolve, reject) => {
    const headers = { connection: 'Upgrade', upgrade: 'UoTLV/1' }
    const dialled = request(url, { ca, headers, signal, agent: false })
    dialled.once('upgrade', (response, socket) => {
      resolve({ status: response.statusCode ?? 0, socket })
    })
    dialled.once('response', (response) => {
      response.resume()
      resolve({ status: response.statusCode ?? 0 })
    })
    dialled.once('error', reject)
    dialled.end()
  })
}

/** Opens a UDP port on loopback whose datagrams go through a ProxyGuard connection. */
export async function relayThrough(proxy: Duplex): Promise<{ port: number; close(): void }> {
  const udp = createSocket('udp4')
  udp.bind(0, '127.0.0.1')
  await once(udp, 'listening')
  let client: RemoteInfo | undefined
  udp.on('message', (datagram, from) => {
    client = from
    const length = Buffer.alloc(2)
    length.writeUInt16BE(datagram.length)
    proxy.write(Buffer.concat([length, datagram]))
  })
  let rest = Buffer.alloc(0)
  proxy.on('data', (bytes: Buffer) => {
    rest = Buffer.concat([rest, bytes])
    while (rest.length >= 2 && rest.length >= 2 + rest.readUInt16BE()) {
      const end = 2 + rest.readUInt16BE()
      if (client !== undefined) udp.send(rest.subarray(2, end), client.port, client.address)
      rest = rest.subarray(end)
    }
  })
  return {
    port: udp.address().port,
    close: () => {
      udp.close()
      proxy.destroy()
    },
  }
}
