import { portalPorts } from '../remotes'
import { HandshakeServers } from './handshake-servers'
import { Refusals } from './refusals'
import { handshakeServerConfig, type Listen } from './server-config'
import { readyLines, ServerProcess } from './server-process'
import { remotesAmong, servedKinds, type Tunnel, type TunnelOptions } from './tunnel'
import { TunnelSwitch } from './tunnel-switch'

/**
 * Starts servers at the mock's address without any privilege: real handshakes and pushes, but no packets. Portals' ports also need
 * privileges, so the servers use free ports. `reason` says why a full tunnel isn't possible.
 */
export async function startHandshakeTunnel(options: TunnelOptions, reason: string): Promise<Tunnel> {
  const refusals = new Refusals()
  let { identity } = options
  const { host = '127.0.0.1', firstPort } = options
  const wanted = servedKinds
    .flatMap((serves) => portalPorts.map((place) => ({ ...place, host, serves })))
    .map((server, index) => ({ ...server, port: firstPort === undefined ? 0 : firstPort + index }))
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
    remotes: (defaultGateway, host) => remotesAmong(fronts.servers, defaultGateway, host),
    // A server without `mode server` has no hooks, so it can refuse a certificate only in the handshake.
    refuse: (serialNumber) => {
      refusals.add(serialNumber, 'handshake')
    },
    accept: (serialNumber) => {
      refusals.delete(serialNumber)
    },
    disconnect: (commonName) => fronts.disconnect(commonName),
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
