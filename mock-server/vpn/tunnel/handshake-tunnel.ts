import { portalPorts } from '../remotes'
import { HandshakeServers } from './handshake-servers'
import { RefusedCertificates } from './refused-certificates'
import { handshakeServerConfig, type Listen } from './server-config'
import { readyLines, ServerProcess } from './server-process'
import { remotesAmong, servedKinds, type Tunnel, type TunnelOptions } from './tunnel'
import { TunnelSwitch } from './tunnel-switch'

/**
 * Servers on loopback that need no right at all: real handshakes with real pushes, and no packets through them. The
 * portals' own ports need rights too, so free ones stand for them. `reason` says why no more could be had.
 */
export async function startHandshakeTunnel(options: TunnelOptions, reason: string): Promise<Tunnel> {
  const refused = new RefusedCertificates()
  const identity = { ...options.identity, refusedFolder: refused.folder }
  const wanted = servedKinds.flatMap((serves) =>
    portalPorts.map((place) => ({ ...place, host: '127.0.0.1', port: 0, serves })),
  )
  const fronts = new HandshakeServers(wanted, (serves) => (listen: Listen) => {
    const config = handshakeServerConfig(identity, listen, {
      prefix: '10.88.0',
      start: 0,
      prefix6: 'fd88::',
      testPrefix: '10.99.0',
      redirectsAll: serves === 'default-gateway' && options.pushDefaultRoute,
    })
    return ServerProcess.start(config, readyLines.handshake, options.onClient)
  })
  const control = new TunnelSwitch(fronts)
  await control.act('start')
  const { failure } = control.status
  if (failure !== undefined) {
    refused.remove()
    throw new Error(`The servers for handshakes could not be started: ${failure}`)
  }
  return {
    get status() {
      return { mode: 'handshake' as const, reason, ...control.status, servers: fronts.servers }
    },
    remotes: (defaultGateway) => remotesAmong(fronts.servers, defaultGateway),
    refuse: (serialNumber) => {
      refused.add(serialNumber)
    },
    accept: (serialNumber) => {
      refused.delete(serialNumber)
    },
    act: (action) => control.act(action),
    close: async () => {
      await control.act('stop')
      refused.remove()
    },
  }
}
