import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSecureContext, createServer as createTlsServer } from 'node:tls'
import type { ConnectionState } from '../../contract/connection'
import { createTestAuthority } from '../platform/http/test-authority.testing'
import { findHelper } from '../privilege/find-helper'
import { type Launch, runHelper, type TunnelProgram } from '../privilege/helper-client'
import { helperDidNotStart } from '../privilege/start-helper'
import { createTunnelBackend } from '../tunnel/open-tunnel'
import { createTestAuthority as createVpnAuthority } from '../tunnel/openvpn/certificates.testing'
import { closedPort } from '../tunnel/openvpn/loopback-server.testing'
import { openVpn } from '../tunnel/openvpn/openvpn'
import { wireGuard } from '../tunnel/wireguard/wireguard'
import { killClients } from './connecting.testing'
import {
  FaultyComputer,
  type FaultyPortal,
  type Outcome,
  type World,
  patientMs,
} from './fault-matrix.testing'

/** A computer's helper and OpenVPN, and the way to the VPN server, which can all go wrong. */
class TunnelParts {
  readonly folder: string
  readonly helper: string
  readonly world: World
  /** Undefined for the system's. */
  openVpnPath: string | undefined
  /** Replaces the helper. */
  launch: Launch | undefined
  /** Changes the configuration that the portal sends. */
  change: ((text: string) => string) | undefined
  isOverTcp = false
  readonly closers: (() => unknown)[] = []
  readonly #authority = createTestAuthority('ProxyGuard')

  private constructor(folder: string, world: World) {
    this.folder = folder
    this.helper = join(folder, 'causeway-helper')
    this.world = world
  }

  static async make(world: World): Promise<TunnelParts> {
    const parts = new TunnelParts(await mkdtemp(join(tmpdir(), 'causeway-parts-')), world)
    await parts.mend()
    return parts
  }

  /** Everything works. */
  async mend(): Promise<void> {
    this.openVpnPath = undefined
    this.launch = undefined
    this.change = undefined
    this.isOverTcp = false
    for (const close of this.closers.splice(0)) close()
    await rm(this.helper, { force: true })
    await this.setHelper(workingHelper)
  }

  async remove(): Promise<void> {
    await this.mend()
    await rm(this.folder, { recursive: true, force: true })
  }

  async setHelper(script: string): Promise<void> {
    // The name of a program that runs can't be written to.
    await rm(this.helper, { force: true })
    await writeFile(this.helper, `${readRequest}${script}\n`, { mode: 0o755 })
  }

  /** Lets a script take the place of OpenVPN. */
  async setOpenVpn(script: string, version = '2.6.12'): Promise<void> {
    this.openVpnPath = join(this.folder, 'openvpn')
    await rm(this.openVpnPath, { force: true })
    const text = `#!/bin/sh\n[ "$1" = --version ] && echo 'OpenVPN ${version} x86_64' && exit 0\n${script}\n`
    await writeFile(this.openVpnPath, text, { mode: 0o755 })
  }

  /** Makes this the only server of the configuration. */
  setRemote(remote: string): void {
    this.change = (text) => `${text.replace(/^remote [^\n]*\n?/gm, '')}\nremote ${remote}\n`
  }

  /** Makes this the ProxyGuard server, whose tunnel is up for the helper alone. */
  async setProxyGuard(port: number): Promise<void> {
    this.isOverTcp = true
    this.change = (text) =>
      text.replace(/^ProxyEndpoint = [^\r\n]*/m, `ProxyEndpoint = https://guard.example.org:${port}/x`)
    await this.setHelper(`say remote 127.0.0.1 ${port}\nsay started cw1t userspace\n${answer}`)
  }

  /** Starts a ProxyGuard server with this answer. */
  async proxyGuard(answered: string, host = 'guard.example.org'): Promise<void> {
    const server = createTlsServer(this.#authority.keyAndCertificate(host), (socket) => {
      socket.on('error', () => undefined)
      socket.once('data', () => socket.end(answered))
    })
    server.on('tlsClientError', () => undefined)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    this.closers.push(() => server.close())
    await this.setProxyGuard((server.address() as AddressInfo).port)
  }

  async killHelper(): Promise<void> {
    process.kill(Number(await readFile(`${this.helper}.pid`, 'utf8')), 'SIGKILL')
  }

  backend() {
    const notListed = () => Promise.reject(new Error('not asked for'))
    return createTunnelBackend({
      privilege: { findHelper: notListed, wantsKillSwitch: () => Promise.resolve(false) },
      findPrivileged: async () => {
        if (this.launch !== undefined) return this.launch
        const found = await findHelper(this.helper)
        return found && ((request) => runHelper(found, request))
      },
      mayConfigureNetwork: () => Promise.resolve(false),
      openVpnPath: () => Promise.resolve(this.openVpnPath),
      routes: { read: () => Promise.resolve(undefined) },
      onNotice: () => undefined,
      protocols: {
        openvpn: () => Promise.resolve(openVpn()),
        wireguard: () =>
          Promise.resolve(
            wireGuard({
              // The server is on this computer.
              addressRules: { ruleForTunnel: () => () => Promise.resolve(true) },
              secureContext: () => Promise.resolve(createSecureContext({ ca: this.#authority.certificate })),
              clock: fastClock,
            }),
          ),
      },
    })
  }
}

/** WireGuard waits ten seconds for an answer. */
const fastClock = {
  now: Date.now,
  after: (milliseconds: number, work: () => void) => {
    const timer = setTimeout(work, milliseconds / 20)
    return () => {
      clearTimeout(timer)
    }
  },
}

const readRequest = `#!/bin/sh
say() { echo "causeway-helper: $*" >&2; }
while read -r line && [ "$line" != '#END' ]; do :; done
echo $$ >"$0.pid"
`
/** Answers commands until standard input ends. */
const answer = `while read -r command rest; do
  case $command in
    dns) say dns applied resolvectl ;;
    resolve) say resolve same ;;
    test) say test full ;;
    state) say handshake 0 600 148 ;;
  esac
done`
const workingHelper = `if [ "$1" = run ]; then
say started cw1t
cat <<'END'
UDPv4 link remote: [AF_INET]192.0.2.1:1194
TLS: Initial packet from [AF_INET]192.0.2.1:1194, sid=1 2
VERIFY OK: depth=1, CN=ca
VERIFY OK: depth=0, CN=server
Control Channel: TLSv1.3, cipher TLSv1.3 TLS_AES_256_GCM_SHA384, peer certificate: 256 bits EC
[server] Peer Connection Initiated with [AF_INET]192.0.2.1:1194
PUSH: Received control message: 'PUSH_REPLY,ifconfig 10.88.0.10 255.255.255.0,cipher AES-256-GCM'
TUN/TAP device cw1t opened
Initialization Sequence Completed
END
else
say remote 192.0.2.1 51820
say started cw1t userspace
say handshake 0 92 148
fi
${answer}`

interface TunnelFault {
  readonly part: 'helper' | 'OpenVPN' | 'WireGuard' | 'VPN server' | 'ProxyGuard server'
  readonly name: string
  readonly protocols: readonly World['protocol'][]
  /** Breaks the part. */
  readonly make: (parts: TunnelParts, portal: FaultyPortal) => unknown
  /** Nothing would end it but the time limit, in milliseconds: long enough for a busy computer to come that far. */
  readonly limitMs?: number
  /** The tunnel is up by then. */
  readonly isLater?: true
  /** Needs a server with a device. */
  readonly needsDevice?: true
}

/** A helper that polkit doesn't start. */
const polkitRefuses =
  (status: number): TunnelFault['make'] =>
  (parts) => {
    const program: TunnelProgram = {
      followLog: () => Promise.resolve(),
      end: () => undefined,
      exited: Promise.resolve({ error: helperDidNotStart('pkexec', status) }),
    }
    parts.launch = () => Promise.resolve(program)
  }
const helperIs =
  (script: string): TunnelFault['make'] =>
  (parts) =>
    parts.setHelper(script)
const openVpnIs =
  (script: string, version?: string): TunnelFault['make'] =>
  (parts) =>
    parts.setOpenVpn(script, version)
const remoteIs =
  (remote: string): TunnelFault['make'] =>
  (parts) => {
    parts.setRemote(remote)
  }

const hangs = 'exec sleep 600'
const both = ['openvpn', 'wireguard'] as const
const onlyOpenVpn = ['openvpn'] as const
const onlyWireGuard = ['wireguard'] as const
const started = 'say remote 192.0.2.1 51820\nsay started cw1t userspace\n'

export const tunnelFaults: readonly TunnelFault[] = [
  { part: 'helper', name: "isn't installed", protocols: both, make: (parts) => rm(parts.helper) },
  {
    part: 'helper',
    name: "doesn't belong to root",
    protocols: both,
    make: (parts) => chown(parts.helper, 65_534, 65_534),
  },
  { part: 'helper', name: 'is refused by polkit', protocols: both, make: polkitRefuses(127) },
  { part: 'helper', name: 'is dismissed by the user', protocols: both, make: polkitRefuses(126) },
  { part: 'helper', name: 'ends at once', protocols: both, make: helperIs('exit 0') },
  { part: 'helper', name: 'is killed at once', protocols: both, make: helperIs('kill -9 $$') },
  {
    part: 'helper',
    name: 'has another version',
    protocols: both,
    make: helperIs('say failed header\nexit 65'),
  },
  { part: 'helper', name: 'hangs', protocols: both, make: helperIs(hangs), limitMs: 5000 },
  {
    part: 'helper',
    name: 'is killed while connected',
    protocols: both,
    make: (parts) => parts.killHelper(),
    isLater: true,
  },
  {
    part: 'OpenVPN',
    name: "isn't installed",
    protocols: onlyOpenVpn,
    make: (parts) => (parts.openVpnPath = join(parts.folder, 'none')),
  },
  { part: 'OpenVPN', name: 'is too old', protocols: onlyOpenVpn, make: openVpnIs('exit 1', '2.4.12') },
  { part: 'OpenVPN', name: 'hangs', protocols: onlyOpenVpn, make: openVpnIs(hangs), limitMs: 5000 },
  { part: 'OpenVPN', name: 'exits at once', protocols: onlyOpenVpn, make: openVpnIs('exit 1') },
  { part: 'OpenVPN', name: 'is killed at once', protocols: onlyOpenVpn, make: openVpnIs('kill -9 $$') },
  {
    part: 'OpenVPN',
    name: "doesn't know an option",
    protocols: onlyOpenVpn,
    make: openVpnIs(
      "echo 'Options error: Unrecognized option or missing or extra parameter(s) in stdin:9: no-such (2.6.12)'; exit 1",
    ),
  },
  {
    part: 'OpenVPN',
    name: 'is killed while connected',
    protocols: onlyOpenVpn,
    make: killClients,
    isLater: true,
  },
  {
    part: 'WireGuard',
    name: 'is missing',
    protocols: onlyWireGuard,
    make: helperIs('say failed no-wireguard\nexit 65'),
  },
  {
    part: 'WireGuard',
    name: 'may be changed by others',
    protocols: onlyWireGuard,
    make: helperIs('say failed wireguard-of-others\nexit 65'),
  },
  {
    part: 'WireGuard',
    name: 'exits at once',
    protocols: onlyWireGuard,
    make: helperIs(`${started}say exited 1\nexit 70`),
  },
  {
    part: 'WireGuard',
    name: 'is killed at once',
    protocols: onlyWireGuard,
    make: helperIs(`${started}say killed KILL\nexit 70`),
  },
  {
    part: 'VPN server',
    name: 'is silent',
    protocols: onlyOpenVpn,
    make: async (parts) => {
      const silent = createSocket('udp4').bind(0, '127.0.0.1')
      await once(silent, 'listening')
      parts.closers.push(() => silent.close())
      parts.setRemote(`127.0.0.1 ${silent.address().port} udp`)
    },
    limitMs: 5000,
  },
  {
    part: 'VPN server',
    name: 'is silent, or has another key',
    protocols: onlyWireGuard,
    make: helperIs(`${started}${answer.replace('handshake 0 600', 'handshake - 0')}`),
  },
  {
    part: 'VPN server',
    name: 'refuses the connection',
    protocols: onlyOpenVpn,
    make: (parts) => {
      parts.setRemote(`127.0.0.1 ${closedPort} tcp`)
    },
  },
  {
    part: 'VPN server',
    name: 'closes the connection',
    protocols: onlyOpenVpn,
    make: async (parts) => {
      const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
      await once(server, 'listening')
      parts.closers.push(() => server.close())
      parts.setRemote(`127.0.0.1 ${(server.address() as AddressInfo).port} tcp`)
    },
  },
  {
    part: 'VPN server',
    name: 'has a wrong certificate',
    protocols: onlyOpenVpn,
    make: (parts) => {
      const { certificate } = createVpnAuthority('Another authority')
      parts.change = (text) => text.replace(/<ca>[^]*?<\/ca>/, `<ca>\n${certificate}</ca>`)
    },
  },
  {
    part: 'VPN server',
    name: 'answers AUTH_FAILED',
    protocols: onlyOpenVpn,
    make: (_parts, { control }) => control.post('/scenarios/vpn-servers-refuse-with-reason'),
    // A server that starts answers it, too: it is asked again.
    limitMs: 10_000,
    needsDevice: true,
  },
  {
    part: 'VPN server',
    name: "has a name that can't be resolved",
    protocols: onlyOpenVpn,
    make: remoteIs('no-such-host.invalid 1194 udp'),
  },
  {
    part: 'VPN server',
    name: "has a name that can't be resolved",
    protocols: onlyWireGuard,
    make: helperIs('say failed unresolved\nexit 65'),
  },
  {
    part: 'VPN server',
    name: 'has no address of its family',
    protocols: onlyOpenVpn,
    make: remoteIs('127.0.0.1 1194 udp6'),
  },
  {
    part: 'VPN server',
    name: 'has only forbidden addresses',
    protocols: onlyWireGuard,
    make: helperIs('say failed endpoint\nexit 65'),
  },
  {
    part: 'ProxyGuard server',
    name: 'refuses the connection',
    protocols: onlyWireGuard,
    make: (parts) => parts.setProxyGuard(closedPort),
  },
  {
    part: 'ProxyGuard server',
    name: 'has a wrong certificate',
    protocols: onlyWireGuard,
    make: (parts) => parts.proxyGuard('', 'other.example.org'),
  },
  {
    part: 'ProxyGuard server',
    name: 'answers 403',
    protocols: onlyWireGuard,
    make: (parts) => parts.proxyGuard('HTTP/1.1 403 Forbidden\r\n\r\n'),
  },
  {
    part: 'ProxyGuard server',
    name: 'answers 502',
    protocols: onlyWireGuard,
    make: (parts) => parts.proxyGuard('HTTP/1.1 502 Bad Gateway\r\n\r\n'),
  },
]

/** Only root may own a helper. */
export const mayOwnHelper = process.platform === 'linux' && process.geteuid?.() === 0

/** Breaks a part of the tunnel, connects, mends it, and connects again. */
export async function meetTunnelFault(
  portal: FaultyPortal,
  world: World,
  fault: TunnelFault,
): Promise<Outcome> {
  const { control } = portal
  const parts = await TunnelParts.make(world)
  portal.change = (text) => parts.change?.(text) ?? text
  const isByHelper = fault.part === 'helper' || world.protocol === 'wireguard'
  const computer = await FaultyComputer.make(portal, world, {
    tunnels: parts.backend(),
    // Of the WireGuard profiles, it has ProxyGuard.
    profileId: fault.part === 'ProxyGuard server' ? 'everywhere' : world.profile,
    connectOptions: () => ({
      mode: isByHelper ? 'full' : 'handshake-only',
      preferTcp: parts.isOverTcp,
      protocol: world.protocol,
    }),
  })
  try {
    const services = computer.start()
    await services.addInstance({ address: portal.address })
    const { connection } = services
    const first = await computer.act(services, 'connect', patientMs)
    if (first !== 'fine') throw new Error(`It doesn't work without a fault: ${first}`)
    const before = await computer.knows()
    let ended: string
    if (fault.isLater === true) {
      const lost = new Promise<ConnectionState>((resolve) => {
        const stop = connection.onChange((state) => {
          stop()
          resolve(state)
        })
      })
      await fault.make(parts, portal)
      const state = await lost
      ended = state.state === 'reconnecting' ? state.reason : state.state
      await new Promise<void>((resolve) => {
        const look = (now: ConnectionState) => {
          if (now.state === 'connected' || now.state === 'failed') resolve()
        }
        connection.onChange(look)
        look(connection.state)
      })
    } else {
      await connection.disconnect()
      await fault.make(parts, portal)
      ended = await computer.act(services, 'connect', fault.limitMs ?? patientMs)
    }
    const { state } = connection.state
    await parts.mend()
    await control.post('/scenarios/all-well')
    if (state === 'connected') await connection.disconnect()
    const kept = await computer.knows()
    const logins = computer.logins
    const again = await computer.act(services, 'connect', patientMs)
    return {
      ended,
      state,
      lost: before.filter((each) => !kept.includes(each)),
      signedInAgain: false,
      after: { ended: again, logins: computer.logins - logins },
    }
  } finally {
    portal.change = undefined
    await computer.end()
    await parts.remove()
  }
}
