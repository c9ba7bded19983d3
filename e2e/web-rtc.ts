import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Server } from 'node:net'

/** Destinations of WebRTC: a STUN server, TURN servers, and another peer. */
export const webRtcTargets = ['stun', 'turn-udp', 'turn-tcp', 'turns', 'peer-udp', 'peer-tcp'] as const
type Target = (typeof webRtcTargets)[number]

/** Listening sockets on loopback, one for each target, which never answer. */
export interface WebRtcListeners {
  readonly ports: Readonly<Record<Target, number>>
  /** Returns the targets that received something. */
  reached(): readonly Target[]
  close(): Promise<void>
}

/** Opens the sockets on free ports. */
export async function listenForWebRtc(): Promise<WebRtcListeners> {
  const reached = new Set<Target>()
  const closers: (() => Promise<unknown>)[] = []

  async function listenUdp(target: Target): Promise<number> {
    const socket = createSocket('udp4')
    socket.on('message', () => reached.add(target))
    socket.bind(0, '127.0.0.1')
    await once(socket, 'listening')
    closers.push(async () => {
      socket.close()
      await once(socket, 'close')
    })
    return socket.address().port
  }

  async function listenTcp(target: Target): Promise<number> {
    const server: Server = createServer((connection) => {
      reached.add(target)
      connection.on('error', () => undefined)
      connection.destroy()
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    closers.push(async () => {
      server.close()
      await once(server, 'close')
    })
    return (server.address() as AddressInfo).port
  }

  return {
    ports: {
      stun: await listenUdp('stun'),
      'turn-udp': await listenUdp('turn-udp'),
      'turn-tcp': await listenTcp('turn-tcp'),
      turns: await listenTcp('turns'),
      'peer-udp': await listenUdp('peer-udp'),
      'peer-tcp': await listenTcp('peer-tcp'),
    },
    reached: () => webRtcTargets.filter((target) => reached.has(target)),
    close: async () => {
      await Promise.all(closers.map((close) => close()))
    },
  }
}

/**
 * Returns a script that tries each target from the page and from a frame in it. Resolves once all attempts have
 * started.
 */
export function tryWebRtc({ ports }: WebRtcListeners): string {
  const relay = { username: 'user', credential: 'word' }
  const at = (target: Target): string => `127.0.0.1:${ports[target]}`
  const servers = [
    { urls: `stun:${at('stun')}` },
    { urls: `turn:${at('turn-udp')}`, ...relay },
    { urls: `turn:${at('turn-tcp')}?transport=tcp`, ...relay },
    { urls: `turns:${at('turns')}?transport=tcp`, ...relay },
  ]
  const peers = [
    `candidate:1 1 udp 2122260223 127.0.0.1 ${ports['peer-udp']} typ host`,
    `candidate:2 1 tcp 1518280447 127.0.0.1 ${ports['peer-tcp']} typ host tcptype passive`,
  ]
  return `(async () => {
    async function tryFrom({ RTCPeerConnection }) {
      for (const server of ${JSON.stringify(servers)}) {
        const asking = new RTCPeerConnection({ iceServers: [server] })
        asking.createDataChannel('data')
        await asking.setLocalDescription()
      }
      const caller = new RTCPeerConnection()
      const called = new RTCPeerConnection()
      caller.createDataChannel('data')
      await caller.setLocalDescription()
      await called.setRemoteDescription(caller.localDescription)
      await called.setLocalDescription()
      await caller.setRemoteDescription(called.localDescription)
      for (const candidate of ${JSON.stringify(peers)}) await caller.addIceCandidate({ candidate, sdpMid: '0' })
    }
    await tryFrom(window)
    const frame = document.createElement('iframe')
    document.body.append(frame)
    await tryFrom(frame.contentWindow)
  })()`
}
