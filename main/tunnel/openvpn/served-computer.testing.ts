import type { TunnelDetails } from '../../../contract/connection'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

import type { TestAuthority } from './certificates.testing'
import { buildConfiguration } from './configuration'
import { runTunnelServer } from './loopback-server.testing'
import { PrivateComputer } from '../../privilege/private-computer.testing'
import { portalProfile } from './profile.testing'
import type { Tunnel, TunnelEnd } from '../tunnel'
import { createPrivilege } from '../../privilege/privilege'
import { createStartTunnel } from './start-openvpn.testing'
import { linuxRoutes } from '../../platform/routes/linux-routes'

const tree = path.resolve(import.meta.dirname, '../../..')

/** The private computer with the helper; its network is `eth0`, with a server at the other end (192.168.78.1, 192.0.2.1). */
const network = `
install -D -m 0755 "$1/out/helper/causeway-helper" /usr/libexec/causeway/causeway-helper
ip netns add server
ip link add eth0 type veth peer name eth0 netns server
ip address add 192.168.78.2/24 dev eth0
ip link set eth0 up
ip -n server address add 192.168.78.1/24 dev eth0
ip -n server address add 192.0.2.1/32 dev lo
ip -n server link set eth0 up
ip -n server link set lo up
`

interface PushingServer {
  readonly address: '192.168.78.1' | '192.0.2.1'
  readonly protocol: 'udp' | 'tcp'
  /** Options that it pushes in addition to those of the address. */
  readonly pushed: readonly string[]
}

interface Outcome {
  readonly tunnel: Tunnel
  readonly outcome: TunnelDetails | TunnelEnd
  readonly log: readonly string[]
  /** Returns what was last told about the tunnel. */
  readonly latest: () => TunnelDetails | undefined
}

/** A private computer on which the app connects through the real helper, to a real server that pushes the test's options. */
export class ServedComputer {
  readonly computer: PrivateComputer
  readonly #authority: TestAuthority
  readonly #folder: string
  readonly #running: (() => Promise<void>)[] = []

  private constructor(computer: PrivateComputer, authority: TestAuthority, folder: string) {
    this.computer = computer
    this.#authority = authority
    this.#folder = folder
  }

  /** @param more additional shell commands for the computer */
  static async make(authority: TestAuthority, more = ''): Promise<ServedComputer> {
    const computer = await PrivateComputer.make(tree, `${network}${more}`)
    const folder = await mkdtemp(path.join(tmpdir(), 'causeway-served-'))
    const helper = path.join(folder, 'helper')
    await writeFile(
      helper,
      `#!/bin/sh\nexec ${computer.asRoot.join(' ')} /usr/libexec/causeway/causeway-helper "$@"\n`,
    )
    await chmod(helper, 0o755)
    return new ServedComputer(computer, authority, folder)
  }

  /** Starts the server and connects to it; resolves once the tunnel is up or has failed. */
  async connect({ address, protocol, pushed }: PushingServer): Promise<Outcome> {
    await this.#serve({ address, protocol, pushed })
    const onNotice = () => undefined
    const privilege = createPrivilege({
      killSwitch: () => Promise.resolve(false),
      reporter: { notice: onNotice },
      helper: path.join(this.#folder, 'helper'),
    })
    const routes = linuxRoutes([...this.computer.asRoot, 'ip'])
    const start = createStartTunnel({ privilege, routes })
    const { certificate: ca } = this.#authority
    const profile = portalProfile({ ca, remotes: [`${address} 1194 ${protocol}`] })
    const keyPair = this.#authority.issue({ commonName: 'client', usage: 'clientAuth' })
    const log: string[] = []
    let latest: TunnelDetails | undefined
    let onConnected: (details: TunnelDetails) => void = () => undefined
    const connected = new Promise<TunnelDetails>((resolve) => {
      onConnected = resolve
    })
    const tunnel = await start({
      configuration: buildConfiguration(profile, keyPair, { platform: 'linux', mode: 'full' }),
      mode: 'full',
      onEvent: (event) => {
        if (event.event === 'log') log.push(event.line)
        if (event.event === 'connected' || event.event === 'routes') latest = event.details
        if (event.event === 'connected') onConnected(event.details)
      },
    })
    this.#running.push(() => tunnel.stop())
    return { tunnel, outcome: await Promise.race([connected, tunnel.ended]), log, latest: () => latest }
  }

  /** Ends all tunnels and servers. */
  async stop(): Promise<void> {
    for (const stop of this.#running.splice(0).reverse()) await stop()
  }

  async remove(): Promise<void> {
    await this.computer.remove()
    await rm(this.#folder, { recursive: true, force: true })
  }

  async #serve({ address, protocol, pushed }: PushingServer): Promise<void> {
    const server = [...this.computer.asRoot, 'ip', 'netns', 'exec', 'server'] as const
    this.#running.push(
      await runTunnelServer(server, this.#authority, {
        address,
        network: '10.89.0',
        lines: [
          `proto ${protocol === 'tcp' ? 'tcp-server' : 'udp'}`,
          ...pushed.map((option) => `push "${option}"`),
        ],
      }),
    )
  }
}
