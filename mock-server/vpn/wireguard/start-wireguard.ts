import { messageOf } from '../../errors'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { type BehindEvent, BehindNetwork } from '../behind/behind'
import {
  addressesBehind,
  closeNamespace,
  hasIpv6,
  insideNamespace,
  ip,
  openNamespace,
  runInside,
  testPrefix6Of,
  testPrefixOf,
  type ServerNamespace,
} from '../tunnel/namespace'
import { requireProgram } from '../tunnel/programs'
import { Serial } from '../tunnel/tunnel-switch'
import { endingWithUs } from '../tunnel/server-process'
import { end, NamespaceProcess } from '../tunnel/namespace-process'
import {
  noWireguard,
  type ProxyIdentity,
  type ProxyOrder,
  type Wireguard,
  type WireguardFaults,
  type WireguardPeer,
} from './wireguard'
import { wireguardMtu, wireguardPublicKey } from '../profile-config'

interface WireguardOptions {
  privateKey: Buffer
  takesAllTraffic: boolean
  issue(names: string[]): ProxyIdentity
  onEvent: (event: BehindEvent) => void
}

const port = 51820
const proxyPort = 443
/** Passes packets of the smallest MTU, 1280, as UDP datagrams of 1320, and not those of the configurations' MTU. */
const largestSmallDatagram = 1360
/** Generous, for a busy machine: a wireguard-go that ends is noticed at once. */
const startLimitMs = 60_000
const pollMs = 20

/** Starts WireGuard and ProxyGuard servers in a namespace; none, with the reason, where there is no permission. */
export async function startWireguard(options: WireguardOptions): Promise<Wireguard> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) {
    return noWireguard('A network namespace needs root on Linux.')
  }
  requireProgram('wg')
  let namespace: ServerNamespace
  try {
    namespace = await openNamespace()
  } catch (error) {
    return noWireguard(`No network namespace: ${messageOf(error)}`)
  }
  const server = new WireguardServer(namespace, options)
  try {
    await server.start()
  } catch (error) {
    await server.close()
    throw error
  }
  return server
}

/**
 * Returns true if wireguard-go answers for a device. `wg` must not ask before: it deletes sockets that refuse, and so the one that is
 * bound and doesn't listen yet.
 */
export async function isAnswered(device: string): Promise<boolean> {
  const socket = connect(`/var/run/wireguard/${device}.sock`)
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

class WireguardServer implements Wireguard {
  readonly takesAllTraffic: boolean
  readonly behind: BehindNetwork
  readonly #namespace: ServerNamespace
  readonly #options: WireguardOptions
  readonly #device: string
  #process: ChildProcess | undefined
  #proxy: NamespaceProcess<ProxyOrder> | undefined
  #faults: WireguardFaults = {}
  #peers: ReadonlyMap<string, string> = new Map()
  readonly #changes = new Serial()

  constructor(namespace: ServerNamespace, options: WireguardOptions) {
    this.#namespace = namespace
    this.#options = options
    this.takesAllTraffic = options.takesAllTraffic
    this.behind = new BehindNetwork(namespace, options.onEvent)
    // wireguard-go has one folder of sockets for all namespaces.
    this.#device = `${namespace.device}w`
  }

  get status() {
    return {
      mode: 'full' as const,
      device: this.#process === undefined ? ('kernel' as const) : ('userspace' as const),
      namespace: this.#namespace.name,
      publicKey: wireguardPublicKey(this.#options.privateKey),
      endpoint: this.endpoint,
      proxyEndpoint: this.proxyEndpoint,
      pingAddresses: addressesBehind(this.#namespace.slot),
      behind: this.behind.status,
      failure: this.#changes.failure,
    }
  }

  get network() {
    const { slot } = this.#namespace
    const plan = this.#faults.hasOtherPlan === true ? 78 : 77
    const slot6 = (slot + 1).toString(16)
    return {
      clients: { prefix: `10.${plan}.${slot}`, prefix6: `fd${plan}:0:0:${slot6}::` },
      behind: [`${testPrefixOf(slot)}.0/24`, `${testPrefix6Of(slot)}/64`],
      dns: addressesBehind(slot),
    }
  }

  get endpoint() {
    return `${this.#address(this.#faults)}:${port}`
  }

  get proxyEndpoint() {
    return `https://${this.#address(this.#faults)}/proxyguard/node`
  }

  async start(): Promise<void> {
    const { name } = this.#namespace
    try {
      await ip('-n', name, 'link', 'add', this.#device, 'type', 'wireguard')
    } catch {
      await this.#startUserspace()
    }
    const key = this.#options.privateKey.toString('base64')
    await runInside(
      this.#namespace,
      // `wg` can't open Node's end of a pipe, which is a socket, by its name.
      ['sh', '-c', 'cat | "$0" setconf "$1" /dev/stdin', requireProgram('wg'), this.#device],
      `[Interface]\nPrivateKey = ${key}\nListenPort = ${port}\n`,
    )
    await this.#setAddresses()
    await ip('-n', name, 'link', 'set', this.#device, 'mtu', String(wireguardMtu), 'up')
    this.#proxy = new NamespaceProcess('proxyguard', insideNamespace(this.#namespace))
    await Promise.all([this.behind.start(), this.#setProxy({})])
  }

  setPeers(peers: ReadonlyMap<string, number>): Promise<void> {
    return this.#changes.run(async () => {
      const { prefix, prefix6 } = this.network.clients
      const wanted = new Map(
        [...peers].map(([key, n]) => [key, `${prefix}.${n}/32,${prefix6}${n.toString(16)}/128`]),
      )
      const gone = [...this.#peers.keys()].filter((key) => !wanted.has(key))
      const changed = [...wanted].filter(([key, allowed]) => this.#peers.get(key) !== allowed)
      const changes = [
        ...gone.flatMap((key) => ['peer', key, 'remove']),
        ...changed.flatMap(([key, allowed]) => ['peer', key, 'allowed-ips', allowed]),
      ]
      if (changes.length > 0) await runInside(this.#namespace, ['wg', 'set', this.#device, ...changes])
      this.#peers = wanted
    })
  }

  setFaults(faults: WireguardFaults): Promise<void> {
    const before = this.#faults
    this.#faults = faults
    return this.#changes.run(async () => {
      if (JSON.stringify(before) === JSON.stringify(faults)) return
      await runInside(this.#namespace, ['nft', '-f', '-'], this.#filter(faults))
      await this.#setProxy(faults)
      if (before.hasOtherPlan !== faults.hasOtherPlan) await this.#setAddresses()
    })
  }

  settled(): Promise<void> {
    return this.#changes.settled()
  }

  async peers(): Promise<WireguardPeer[]> {
    await this.#changes.idle
    const [, ...lines] = (await runInside(this.#namespace, ['wg', 'show', this.#device, 'dump']))
      .trim()
      .split('\n')
    return lines.map((line) => {
      const [publicKey = '', , endpoint, allowedIps = '', handshake, received, sent] = line.split('\t')
      const age = Math.floor(Date.now() / 1000) - Number(handshake)
      return {
        publicKey,
        allowedIps: allowedIps.split(','),
        endpoint: endpoint === '(none)' ? null : (endpoint ?? null),
        handshakeAgeSeconds: handshake === '0' ? null : Math.max(0, age),
        receivedBytes: Number(received),
        sentBytes: Number(sent),
      }
    })
  }

  async close(): Promise<void> {
    await this.#changes.idle
    await Promise.all([this.#proxy?.stop(), this.behind.close()])
    if (this.#process !== undefined) await end(this.#process, 'SIGTERM')
    await closeNamespace(this.#namespace)
  }

  #address({ isMoved }: WireguardFaults): string {
    const { serverAddresses } = this.#namespace
    return serverAddresses[isMoved === true ? 'other' : 'default-gateway']
  }

  async #startUserspace(): Promise<void> {
    const [program = '', ...parameters] = [
      ...insideNamespace(this.#namespace),
      ...endingWithUs([requireProgram('wireguard-go'), '-f', this.#device]),
    ]
    this.#process = spawn(program, parameters, {
      stdio: 'ignore',
      env: { ...process.env, LOG_LEVEL: 'silent' },
    })
    const limit = Date.now() + startLimitMs
    while (!(await isAnswered(this.#device))) {
      if (Date.now() > limit || this.#process.exitCode !== null)
        throw new Error('wireguard-go does not start.')
      await wait(pollMs)
    }
  }

  async #setAddresses(): Promise<void> {
    const { prefix, prefix6 } = this.network.clients
    const inside = ['-n', this.#namespace.name, 'address'] as const
    await ip(...inside, 'flush', 'dev', this.#device)
    await ip(...inside, 'add', `${prefix}.1/24`, 'dev', this.#device)
    if (hasIpv6()) await ip(...inside, 'add', `${prefix6}1/64`, 'dev', this.#device, 'nodad')
  }

  async #setProxy({ proxy }: WireguardFaults): Promise<void> {
    const { 'default-gateway': usual, other } = this.#namespace.serverAddresses
    const isWrong = proxy === 'wrong-certificate'
    const identity = this.#options.issue(isWrong ? ['other.example'] : [usual, other])
    await this.#proxy?.obey({ port: proxyPort, wireguardPort: port, identity })
    await this.#proxy?.obey({ fault: isWrong ? null : (proxy ?? null) })
  }

  #filter({ drops, isMoved }: WireguardFaults): string {
    const large = `udp length > ${largestSmallDatagram} drop`
    const incoming = {
      all: [`udp dport ${port} drop`],
      udp: [`iifname outside udp dport ${port} drop`],
      large: [`iifname outside udp dport ${port} ${large}`],
    }
    const rules = drops === undefined ? [] : incoming[drops]
    if (isMoved === true) rules.push(`ip daddr ${this.#address({})} udp dport ${port} drop`)
    const outgoing = drops === 'large' ? `oifname outside udp sport ${port} ${large}` : ''
    return `table inet mock {}
delete table inet mock
table inet mock {
  chain incoming {
    type filter hook input priority 0
    ${rules.join('\n    ')}
  }
  chain outgoing {
    type filter hook output priority 0
    ${outgoing}
  }
}
`
  }
}
