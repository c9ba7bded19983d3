import { portalPorts } from '../remotes'
import { HandshakeServers } from './handshake-servers'
import { Refusals } from './refusals'
import { handshakeServerConfig, type Listen } from './server-config'
import { readyLines, ServerProcess } from './server-process'
import { remotesAmong, servedKinds, type Tunnel, type TunnelOptions } from './tunnel'
import { TunnelSwitch } from './tunnel-switch'

/**
 * Servers on loopback that need no right at all: real handshakes with real pushes, and no packets through them. The
 * portals' own ports need rights too, so free ones stand for them. `reason` says why no more could be had.
 */
export async function startHandshakeTunnel(options: TunnelOptions, reason: string): Promise<Tunnel> {
  const refusals = new Refusals()
  let { identity } = options
  const wanted = servedKinds.flatMap((serves) =>
    portalPorts.map((place) => ({ ...place, host: '127.0.0.1', port: 0, serves })),
  )
  const fronts = new HandshakeServers(wanted, (serves) => (listen: Listen) => {
    const network = {
      prefix: '10.88.0',
      start: 0,
      prefix6: 'fd88::',
      testPrefix: '10.99.0',
      redirectsAll: serves === 'default-gateway' && options.pushDefaultRoute,
    }
    const config = handshakeServerConfig(identity, listen, network, refusals)
    return ServerProcess.start(config, readyLines.handshake, options.onClient)
  })
  const control = new TunnelSwitch(fronts)
  await control.act('start')
  const { failure } = control.status
  if (failure !== undefined) {
    refusals.remove()
    throw new Error(`The servers for handshakes could not be started: ${failure}`)
  }
  return {
    get status() {
      return { mode: 'handshake' as const, reason, ...control.status, servers: fronts.servers }
    },
    remotes: (defaultGateway) => remotesAmong(fronts.servers, defaultGateway),
    // A server without `mode server` has no hooks: which certificate it was is known in the handshake only.
    refuse: (serialNumber) => {
      refusals.add(serialNumber, 'handshake')
    },
    accept: (serialNumber) => {
      refusals.delete(serialNumber)
    },
    refuseAll: () => undefined,
    act: (action) => control.act(action),
    move: () =>
      control.change(() => {
        fronts.move()
      }),
    changeIdentity: (changed) =>
      control.change(() => {
        identity = changed
      }),
    close: async () => {
      await control.act('stop')
      refusals.remove()
    },
  }
}
