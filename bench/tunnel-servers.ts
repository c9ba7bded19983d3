import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { execa } from 'execa'
import { createTestAuthority } from '../main/tunnel/openvpn/certificates.testing'
import { runTunnelServer } from '../main/tunnel/openvpn/loopback-server.testing'
import { portalProfile } from '../main/tunnel/openvpn/profile.testing'
import { sbin } from '../scripts/program'
import type { Setting } from './wireguard-process'

/** The client's network, and the servers'. */
export const [clientSpace, serverSpace] = [`causeway-bc-${process.pid}`, `causeway-bs-${process.pid}`]
const inside = '10.99.0.1'

/** Receives one stream, or sends one until it is closed, on a port that it prints. At the same port of UDP, it answers each packet. */
const streamServer = `
const block = Buffer.alloc(1 << 16)
require('node:net').createServer({ allowHalfOpen: true }, (socket) => {
  let received = -1
  socket.on('error', () => socket.destroy())
  socket.on('data', (chunk) => {
    if (received < 0 && chunk[0] === 100) {
      const send = () => { while (socket.writable && socket.write(block)); }
      socket.on('drain', send)
      send()
    }
    received += chunk.length
  })
  socket.on('end', () => socket.end(String(received)))
}).listen(0, '${inside}', function () {
  const { port } = this.address()
  const echo = require('node:dgram').createSocket('udp4')
  echo.on('message', (packet, from) => echo.send(packet, from.port, from.address)).bind(port, '${inside}', () => console.log(port))
})
process.stdin.on('end', () => process.exit()).resume()`

/**
 * Builds wireguard-go, the same library as in the helper's program. Returns its path, or undefined if the kernel has WireGuard.
 */
export async function buildWireGuard(folder: string): Promise<string | undefined> {
  const words = ['-n', 'ip', 'link', 'add', 'type', 'wireguard']
  const { failed } = await execa('unshare', words, { env: sbin, reject: false })
  if (!failed) return undefined
  const program = join(folder, 'wireguard-go')
  await execa('go', ['build', '-mod=readonly', '-o', program, 'golang.zx2c4.com/wireguard'], {
    cwd: join(import.meta.dirname, '..', 'helper', 'userspace-wireguard'),
    env: { CGO_ENABLED: '0', GOTOOLCHAIN: 'local' },
  })
  return program
}

export async function ip(words: string): Promise<void> {
  await execa('ip', words.split(' '), { env: sbin })
}

/** Makes the two networks, with a link between them. */
export async function makeNetwork(ends: (() => Promise<unknown>)[]): Promise<void> {
  for (const space of [clientSpace, serverSpace]) {
    await ip(`netns add ${space}`)
    ends.push(() => ip(`netns delete ${space}`))
    await ip(`-n ${space} link set lo up`)
  }
  await ip(`-n ${clientSpace} link add wan type veth peer name net0 netns ${serverSpace}`)
  await ip(`-n ${clientSpace} address add 10.77.1.2/24 dev wan`)
  await ip(`-n ${serverSpace} address add 10.77.1.1/24 dev net0`)
  await ip(`-n ${clientSpace} link set wan up`)
  await ip(`-n ${serverSpace} link set net0 up`)
  await ip(`-n ${clientSpace} route add default via 10.77.1.1`)
  await ip(`-n ${serverSpace} address add ${inside} dev lo`)
  // Answers through a tunnel alone.
  const rules = `add table inet world
add chain inet world in { type filter hook input priority 0; }
add rule inet world in iifname net0 ip daddr ${inside} drop`
  await execa('ip', ['netns', 'exec', serverSpace, 'nft', '-f', '-'], { env: sbin, input: rules })
}

/** Starts the servers of both protocols, and what answers through their tunnels. */
export async function startServers(
  folder: string,
  program: string | undefined,
  ends: (() => Promise<unknown>)[],
): Promise<Setting> {
  const key = async () => (await execa('wg', ['genkey'])).stdout
  const shared = async (secret: string) => (await execa('wg', ['pubkey'], { input: secret })).stdout
  const [serverKey, clientKey] = [await key(), await key()]
  const serverFile = join(folder, 'server.conf')
  await writeFile(
    serverFile,
    `[Interface]\nPrivateKey = ${serverKey}\nListenPort = 51820\n[Peer]\nPublicKey = ${await shared(clientKey)}\nAllowedIPs = 10.88.0.2/32\n`,
    { mode: 0o600 },
  )
  const scriptFile = join(folder, 'script.conf')
  const peer = await shared(serverKey)
  await writeFile(
    scriptFile,
    `[Interface]\nPrivateKey = ${clientKey}\nFwMark = 51820\n[Peer]\nPublicKey = ${peer}\nEndpoint = 10.77.1.1:51820\nAllowedIPs = 0.0.0.0/0\nPersistentKeepalive = 25\n`,
    { mode: 0o600 },
  )
  const start = async (space: string, words: readonly string[]) => {
    const server = execa('ip', ['netns', 'exec', space, ...words], {
      env: sbin,
      stderr: 'inherit',
      reject: false,
    })
    ends.push(async () => {
      server.stdin.end()
      await server
    })
    const [line] = (await once(createInterface({ input: server.stdout }), 'line')) as string[]
    return line ?? ''
  }
  const serve = `set -e; mount -t tmpfs run /run
${program === undefined ? 'ip link add wgs type wireguard' : `${program} wgs >/dev/null 2>&1`}
wg setconf wgs ${serverFile}; ip address add 10.88.0.1/24 dev wgs; ip link set wgs mtu 1420 up; echo up; cat; ip link delete wgs`
  await start(serverSpace, ['unshare', '-m', 'sh', '-c', serve])
  const port = Number(await start(serverSpace, [process.execPath, '-e', streamServer]))

  const authority = createTestAuthority()
  const through = ['ip', 'netns', 'exec', serverSpace] as const
  ends.push(
    await runTunnelServer(through, authority, {
      address: '10.77.1.1',
      network: '10.89.0',
      limitSeconds: 3600,
      lines: [
        'push "redirect-gateway def1"',
        ...['keepalive 10 60', 'data-ciphers AES-256-GCM', 'cipher AES-256-GCM'],
      ],
    }),
  )
  return {
    inside,
    port,
    program: program ?? null,
    scriptFile,
    wireGuard: {
      privateKey: clientKey,
      text: `[Interface]\nAddress = 10.88.0.2/24\nMTU = 1420\n[Peer]\nPublicKey = ${peer}\nAllowedIPs = 0.0.0.0/0\nEndpoint = 10.77.1.1:51820\n`,
    },
    openVpn: {
      profile: portalProfile({ ca: authority.certificate, remotes: ['10.77.1.1 1194 udp'] }),
      ...authority.issue({ commonName: 'client', usage: 'clientAuth' }),
    },
  }
}
