import type { KeyPair } from '../certificate-authority'
import type { Remote } from '../remotes'
import type { Refusals } from './refusals'

export interface ServerIdentity {
  caCertificate: string
  server: KeyPair
  tlsCryptKey: string
}

export interface Network {
  /** The first three numbers of the addresses in the tunnel, as in `10.88.0`. */
  prefix: string
  /** The last number of the first address of the network of 64 addresses: 0, 64, 128 or 192. */
  start: number
  /** The tunnel's IPv6 network with its colons, as in `fd88::`; absent where the machine has no IPv6. */
  prefix6?: string
  /** The first three numbers of the network behind the server. */
  testPrefix: string
  /** The IPv6 network behind the server with its colons; absent where the machine has no IPv6. */
  testPrefix6?: string
  redirectsAll: boolean
}

interface Server {
  identity: ServerIdentity
  listen: Remote
  network: Network
  refusals: Pick<Refusals, 'handshakeFolder' | 'hook'>
}

/** Returns a path as OpenVPN reads it: a backslash, as Windows has them, takes the next character literally. */
function quoted(path: string): string {
  return `"${path.replaceAll('\\', '\\\\')}"`
}

function common({ identity, listen: { host, port, protocol }, refusals }: Server): string[] {
  return [
    'tls-server',
    `local ${host}`,
    `port ${port}`,
    `proto ${protocol === 'tcp' ? 'tcp-server' : 'udp'}`,
    'topology subnet',
    'dh none',
    'verb 3',
    'remote-cert-tls client',
    `crl-verify ${quoted(refusals.handshakeFolder)} dir`,
    `<ca>\n${identity.caCertificate}\n</ca>`,
    `<cert>\n${identity.server.certificate}\n</cert>`,
    `<key>\n${identity.server.private_key}\n</key>`,
    `<tls-crypt>\n${identity.tlsCryptKey.trim()}\n</tls-crypt>`,
  ]
}

const mask = '255.255.255.192'
const addressIn = ({ prefix, start }: Network, number: number) => `${prefix}.${start + number}`

function pushes(network: Network): string[] {
  const { testPrefix, testPrefix6, redirectsAll, prefix6 } = network
  const options = [
    'ping 3',
    'ping-restart 10',
    'topology subnet',
    `route-gateway ${addressIn(network, 1)}`,
    `route ${testPrefix}.0 255.255.255.0`,
    ...(testPrefix6 === undefined ? [] : [`route-ipv6 ${testPrefix6}/64`]),
    ...(redirectsAll
      ? [
          `redirect-gateway def1${prefix6 === undefined ? '' : ' ipv6'}`,
          // As real portals do, for clients that don't know the redirect.
          'route 0.0.0.0 0.0.0.0',
          `dhcp-option DNS ${testPrefix}.1`,
          ...(testPrefix6 === undefined ? [] : [`dhcp-option DNS ${testPrefix6}1`]),
        ]
      : []),
  ]
  return options.map((option) => `push "${option}"`)
}

const text = (lines: string[]) => `${lines.join('\n')}\n`

export function tunServerConfig(server: Server, withHooks: boolean, managementSocket: string): string {
  const { network, refusals } = server
  const { prefix6 } = network
  const hooks = [
    'script-security 2',
    `client-connect "/bin/sh ${refusals.hook}"`,
    `auth-user-pass-verify "/bin/sh ${refusals.hook}" via-file`,
    'auth-user-pass-optional',
  ]
  const ipv6 =
    prefix6 === undefined
      ? []
      : [`ifconfig-ipv6 ${prefix6}1/64 ${prefix6}2`, `ifconfig-ipv6-pool ${prefix6}1000/64`]
  return text([
    'mode server',
    'dev tun',
    ...common(server),
    ...(withHooks ? hooks : []),
    `management "${managementSocket}" unix`,
    `ifconfig ${addressIn(network, 1)} ${mask}`,
    `ifconfig-pool ${addressIn(network, 10)} ${addressIn(network, 62)} ${mask}`,
    ...ipv6,
    'keepalive 3 10',
    ...pushes(network),
  ])
}

/** Returns the configuration of a server for one client without a device, which ends when the client disconnects. */
export function handshakeServerConfig(server: Server): string {
  const { network } = server
  const { prefix6 } = network
  return text([
    'dev null',
    ...common(server),
    'tls-exit',
    'remap-usr1 SIGTERM',
    'ping 3',
    'ping-exit 10',
    `push "ifconfig ${addressIn(network, 10)} ${mask}"`,
    ...(prefix6 === undefined ? [] : [`push "ifconfig-ipv6 ${prefix6}1000/64 ${prefix6}1"`]),
    // Without it, a client on Windows that leaves encryption to the kernel (DCO) refuses the server.
    'push "peer-id 0"',
    // OpenVPN 2.5 negotiates none with a server for one client, and its clients refuse the cipher that it had before.
    'cipher AES-256-GCM',
    'push "cipher AES-256-GCM"',
    ...pushes(network),
  ])
}
