import { connect } from 'node:net'
import { portalPorts, servedKinds } from '../remotes'
import { BehindNetwork } from '../behind/behind'
import {
  addressesBehind,
  closeNamespace,
  hasIpv6,
  insideNamespace,
  openNamespace,
  type ServerNamespace,
  testPrefix6Of,
  testPrefixOf,
} from './namespace'
import { Refusals } from './refusals'
import { allOrNone, openRelay, type Relay } from './relay'
import { type Network, tunServerConfig } from './server-config'
import { remotesAmong, type Tunnel, type TunnelOptions, type TunnelServer } from './tunnel'
import { TunnelSwitch } from './tunnel-switch'
import { readyLines, ServerProcess } from './server-process'
import { startHandshakeTunnel } from './handshake-tunnel'
import { requireProgram } from './programs'
import { messageOf } from '../../errors'
import { isLoopback } from '../../http/origin'

/** Disconnects clients over a server's management socket; those of a frozen server once it is thawed. Never rejects. */
async function killClient(socketPath: string, commonName: string): Promise<void> {
  const socket = connect(socketPath)
  await new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer)
      socket.destroy()
      resolve()
    }
    const timer = setTimeout(resolve, 1000)
    let received = ''
    socket.on('error', end).on('close', end).write(`kill ${commonName}\n`)
    socket.on('data', (text) => {
      if (/^(SUCCESS|ERROR):/m.test((received += String(text)))) end()
    })
  })
  socket.unref()
}

/** The offset to the ports after a move, which no portal uses. */
const movedBy = 1000

/** Returns a tunnel network for one server, unique among all mocks. `index` numbers the servers of a mock. */
function networkOf(slot: number, index: number, redirectsAll: boolean): Network {
  const block = slot * servedKinds.length * portalPorts.length + index
  return {
    prefix: `10.88.${Math.floor(block / 4)}`,
    start: (block % 4) * 64,
    ...(hasIpv6() ? { prefix6: `fd88:0:0:${block.toString(16)}::`, testPrefix6: testPrefix6Of(slot) } : {}),
    testPrefix: testPrefixOf(slot),
    redirectsAll,
  }
}

function serversIn({ serverAddresses }: ServerNamespace): TunnelServer[] {
  return servedKinds.flatMap((serves) =>
    portalPorts.map((place) => ({ host: serverAddresses[serves], ...place, serves })),
  )
}

/** Starts servers with tun devices in a namespace, and relays for other machines. Rejects without permission. */
async function startFullTunnel(options: TunnelOptions): Promise<Tunnel> {
  const namespace = await openNamespace()
  const refusals = new Refusals()
  const hasHooks = options.hooks !== false
  let servers = serversIn(namespace)
  let { identity } = options
  // A server's socket has room for two at once.
  let killing = Promise.resolve()
  let running: { process: ServerProcess; managementSocket: string }[] = []
  const startServer = async (server: TunnelServer, index: number) => {
    const redirectsAll = server.serves === 'default-gateway' && options.pushDefaultRoute
    const managementSocket = refusals.newSocketPath()
    const network = networkOf(namespace.slot, index, redirectsAll)
    const config = tunServerConfig(identity, server, network, refusals, {
      withHooks: hasHooks,
      managementSocket,
    })
    const prefix = insideNamespace(namespace)
    const process = await ServerProcess.start(config, readyLines.tun, options.onClient, prefix)
    return { process, managementSocket }
  }
  const control = new TunnelSwitch({
    start: async () => {
      running = await allOrNone(servers.map(startServer), ({ process }) => process.stop())
    },
    stop: async () => {
      await Promise.all(running.splice(0).map(({ process }) => process.stop()))
    },
    freeze: () => {
      for (const { process } of running) process.freeze()
    },
    thaw: () => {
      for (const { process } of running) process.thaw()
    },
  })
  let relays: Relay[] | undefined
  let behind: BehindNetwork | undefined
  const close = async () => {
    await Promise.all([...(relays ?? []).map((relay) => relay.close()), behind?.close(), control.act('stop')])
    refusals.remove()
    await closeNamespace(namespace)
  }
  try {
    const opened = BehindNetwork.open(
      namespace,
      addressesBehind(namespace.slot),
      options.onEvent ?? (() => undefined),
    )
    await Promise.allSettled([control.act('start'), opened])
    behind = await opened
    const { failure } = control.status
    if (failure !== undefined) throw new Error(failure)
    const { host = '127.0.0.1', firstPort } = options
    if (!isLoopback(host)) {
      const opening = servers.map(({ protocol }, index) => {
        const port = firstPort === undefined ? 0 : firstPort + index
        return openRelay({ protocol, host, port, open: () => servers[index] ?? { host, port: 0 } })
      })
      relays = await allOrNone(opening, (relay) => relay.close())
    }
  } catch (error) {
    await close()
    throw error
  }
  const network = behind
  return {
    behind: network,
    get status() {
      return {
        mode: 'full' as const,
        namespace: namespace.name,
        pingAddress: `${testPrefixOf(namespace.slot)}.1`,
        behind: network.status,
        ...control.status,
        servers,
      }
    },
    remotes: (defaultGateway, asked = '127.0.0.1') => {
      if (relays === undefined || isLoopback(asked)) return remotesAmong(servers, defaultGateway)
      return remotesAmong(
        servers.map((server, index) => ({ ...server, port: relays[index]?.port ?? server.port })),
        defaultGateway,
        asked,
      )
    },
    refuse: (serialNumber, refusedIn) => {
      refusals.add(serialNumber, hasHooks ? refusedIn : 'handshake')
    },
    accept: (serialNumber) => {
      refusals.delete(serialNumber)
    },
    disconnect: (commonName) =>
      (killing = killing.then(async () => {
        const serving = running.filter(({ process }) => process.hasVerified(commonName))
        await Promise.all(serving.map(({ managementSocket }) => killClient(managementSocket, commonName)))
      })),
    refuseAll: (refusal) => {
      refusals.refuseAll(refusal)
    },
    act: (action) => control.act(action),
    move: () =>
      control.change(() => {
        servers = servers.map((server) => ({ ...server, port: server.port + movedBy }))
      }),
    changeIdentity: (changed) =>
      control.change(() => {
        identity = changed
      }),
    close,
  }
}

/** Starts OpenVPN servers: with tun devices if permitted, else for handshakes only. Rejects if there is no OpenVPN. */
export async function startTunnel(options: TunnelOptions): Promise<Tunnel> {
  requireProgram('openvpn')
  if (process.platform !== 'linux' || process.getuid?.() !== 0) {
    return startHandshakeTunnel(options, 'A network namespace and a tun device need root on Linux.')
  }
  try {
    return await startFullTunnel(options)
  } catch (error) {
    return startHandshakeTunnel(options, `No tunnel in a network namespace: ${messageOf(error)}`)
  }
}
