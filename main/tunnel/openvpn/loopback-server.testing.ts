import { randomBytes } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { delimiter } from 'node:path'

import { execa } from 'execa'

import type { IssuedKeyPair, TestAuthority } from './certificates.testing'

export interface LoopbackServer {
  readonly port: number
  /** Kills the server, like a crash. */
  stop(): Promise<void>
}

export interface LoopbackServerOptions {
  readonly protocol: 'udp' | 'tcp'
  /** The authority of accepted clients, PEM. */
  readonly ca: string
  readonly keyPair: IssuedKeyPair
  readonly tlsCrypt?: string
  /** Additional lines of its configuration. */
  readonly extra?: readonly string[]
}

const pushed = [
  'push "topology subnet"',
  'push "ifconfig 10.88.0.10 255.255.255.0"',
  'push "ifconfig-ipv6 fd88::1000/64 fd88::1"',
  'push "route-gateway 10.88.0.1"',
  // OpenVPN 2.5 negotiates none with a server for one client.
  'push "cipher AES-256-GCM"',
]

/** A real OpenVPN server for one handshake on 127.0.0.1, without a device or privilege. Ends after at most 60 s. */
export async function startLoopbackServer(options: LoopbackServerOptions): Promise<LoopbackServer> {
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort(options.protocol)
    try {
      return { port, stop: await runOpenVpnServer('openvpn', [], serverConfiguration(options, port)) }
    } catch (error) {
      // Another test took the port between its choice and the start of the server.
      if (attempt === 5 || !String(error).includes('Address already in use')) throw error
    }
  }
}

function serverConfiguration(options: LoopbackServerOptions, port: number): string {
  return [
    'tls-server',
    `proto ${options.protocol === 'tcp' ? 'tcp-server' : 'udp'}`,
    'local 127.0.0.1',
    `port ${port}`,
    'dev null',
    'dh none',
    'cipher AES-256-GCM',
    'verb 3',
    ...(options.protocol === 'udp' ? ['explicit-exit-notify 1'] : []),
    ...pushed,
    ...(options.extra ?? []),
    inline('ca', options.ca),
    inline('cert', options.keyPair.certificate),
    inline('key', options.keyPair.privateKey),
    ...(options.tlsCrypt === undefined ? [] : [inline('tls-crypt', options.tlsCrypt)]),
  ].join('\n')
}

/**
 * Starts an OpenVPN server and waits until it listens.
 *
 * @param command replaces `openvpn`, with its arguments; the configuration is its standard input
 */
async function runOpenVpnServer(
  command: string,
  words: readonly string[],
  configuration: string,
  limitSeconds = 300,
): Promise<() => Promise<void>> {
  // On Linux it ends even if the tests are killed.
  const limit = process.platform === 'linux' ? ['timeout', '-k', '2', String(limitSeconds)] : []
  const [program, ...rest] = [...limit, command, ...words, '--config', 'stdin']
  const server = execa(program, rest, {
    timeout: limitSeconds * 1000,
    input: configuration,
    env: { PATH: `${process.env.PATH ?? ''}${delimiter}/usr/sbin` },
    all: true,
    reject: false,
    buffer: false,
  })
  const log: string[] = []
  await new Promise<void>((resolve, reject) => {
    const follow = async () => {
      for await (const line of server.iterable({ from: 'all' })) {
        log.push(line)
        if (/link local|Listening for incoming|Initialization Sequence Completed/.test(line)) {
          resolve()
        }
      }
      reject(new Error(`The OpenVPN server ended:\n${log.join('\n')}`))
    }
    void follow()
  })
  return async () => {
    server.kill('SIGTERM')
    await server
  }
}

interface TunnelServerOptions {
  /** Its own address, outside the tunnel. */
  readonly address: string
  readonly port?: number
  /** The beginning of all addresses in the tunnel; default `10.88.0`. */
  readonly network?: string
  readonly keyPair?: IssuedKeyPair
  /** Further lines of its configuration. */
  readonly lines?: readonly string[]
  /** The time after which it ends by itself; default 300. */
  readonly limitSeconds?: number
}

/**
 * Starts an OpenVPN server with a device, which accepts every client of the authority and pushes its own address in the tunnel
 * as the gateway.
 *
 * @param through the command prefix for the server's computer
 */
export function runTunnelServer(
  through: readonly [string, ...string[]],
  authority: TestAuthority,
  {
    address,
    port = 1194,
    network = '10.88.0',
    keyPair = authority.issue({ commonName: 'vpn.example.org', usage: 'serverAuth' }),
    lines = [],
    limitSeconds,
  }: TunnelServerOptions,
): Promise<() => Promise<void>> {
  const configuration = [
    ...['mode server', 'tls-server', `local ${address}`, `port ${port}`, 'dev tun', 'topology subnet'],
    `ifconfig ${network}.1 255.255.255.0`,
    `ifconfig-pool ${network}.10 ${network}.100 255.255.255.0`,
    ...['push "topology subnet"', `push "route-gateway ${network}.1"`],
    ...['keepalive 3 10', 'dh none', 'verb 3'],
    ...lines,
    inline('ca', authority.certificate),
    inline('cert', keyPair.certificate),
    inline('key', keyPair.privateKey),
  ].join('\n')
  const [program, ...words] = through
  return runOpenVpnServer(program, [...words, 'openvpn'], configuration, limitSeconds)
}

/** A port where nothing listens: it has no service, and the system chooses none below 1024 for a program. */
export const closedPort = 4

/** Returns a port that was free a moment ago. */
async function freePort(protocol: 'udp' | 'tcp'): Promise<number> {
  if (protocol === 'udp') {
    const socket = createSocket('udp4').bind(0, '127.0.0.1')
    await once(socket, 'listening')
    const { port } = socket.address()
    socket.close()
    await once(socket, 'close')
    return port
  }
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** Returns a key for tls-crypt, like `openvpn --genkey secret`. */
export function newStaticKey(): string {
  const lines = randomBytes(256).toString('hex').match(/.{32}/g) ?? []
  return [
    '#',
    '# 2048 bit OpenVPN static key',
    '#',
    '-----BEGIN OpenVPN Static key V1-----',
    ...lines,
    '-----END OpenVPN Static key V1-----',
  ].join('\n')
}

export function inline(name: string, content: string): string {
  return `<${name}>\n${content.trim()}\n</${name}>`
}
