import { readdir, writeFile, mkdtemp, rm, chmod } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { execa } from 'execa'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'

import { createTestAuthority, type IssuedKeyPair } from './certificates.testing'
import { buildConfiguration } from './configuration'
import { inline, runOpenVpnServer } from './loopback-server.testing'
import { mayMakePrivateComputer, PrivateComputer } from './private-computer.testing'
import { portalProfile } from './profile.testing'
import type { Tunnel, TunnelDetails } from './tunnel'
import { createTunnelRights } from './tunnel-rights'

// The real systemd-resolved, openresolv and resolvconf, each on a computer of its own that is in memory only: installed, they would
// take over the names of this one. scripts/set-up.ts brings their packages.
vi.setConfig({ testTimeout: 40_000, hookTimeout: 40_000 })

const tree = path.resolve(import.meta.dirname, '../..')
const packages = path.join(tree, 'node_modules/.cache/causeway-name-servers')
const files = await readdir(packages).catch(() => [])
const here =
  ['systemd-resolved', 'libsystemd-shared', 'openresolv', 'resolvconf'].every((name) =>
    files.some((file) => file.startsWith(`${name}_`)),
  ) && (await mayMakePrivateComputer(['dpkg-deb', 'tar', 'getent', 'gdbus']))
if (!here) {
  process.stderr.write(
    'Left out, because no private computer with systemd-resolved and resolvconf can be made here: real name servers.\n',
  )
}

/** Names are answered by the network with one address, and through the tunnel with another. */
const answers = { network: '192.0.2.66', tunnel: '192.0.2.77' }

const install = (name: string) =>
  `for deb in "$1"/node_modules/.cache/causeway-name-servers/${name}_*.deb; do dpkg-deb --fsys-tarfile "$deb" | tar -x -C / --keep-directory-symlink; done\n`

const network = `
install -D -m 0755 "$1/build/linux/causeway-helper" /usr/libexec/causeway/causeway-helper
install -D -m 0644 "$1/main/openvpn/allowed-directives.json" /usr/libexec/causeway/allowed-directives.json
ip netns add server
ip link add eth0 type veth peer name eth0 netns server
ip address add 192.168.78.2/24 dev eth0
ip link set eth0 up
ip -n server address add 192.168.78.1/24 dev eth0
ip -n server link set eth0 up
ip -n server link set lo up
ip -n server address add 192.0.2.1/32 dev lo
ip -n server address add 10.89.1.53/32 dev lo
ip route add default via 192.168.78.1
rm -f /etc/nsswitch.conf
echo 'hosts: files dns' >/etc/nsswitch.conf
`

const resolved = `
${install('libsystemd-shared')}${install('systemd-resolved')}
getent passwd systemd-resolve >/dev/null || echo 'systemd-resolve:x:20124:20124::/:/bin/false' >>/etc/passwd
getent group systemd-resolve >/dev/null || echo 'systemd-resolve:x:20124:' >>/etc/group
install -d -o systemd-resolve -g systemd-resolve /run/systemd/resolve
printf '[Resolve]\\nDNS=192.168.78.1\\nLLMNR=no\\nMulticastDNS=no\\n' >/etc/systemd/resolved.conf
dbus-send --system --type=method_call --dest=org.freedesktop.DBus / org.freedesktop.DBus.ReloadConfig
tied /usr/lib/systemd/systemd-resolved
gdbus wait --system --timeout 20 org.freedesktop.resolve1
rm -f /etc/resolv.conf
ln -s /run/systemd/resolve/stub-resolv.conf /etc/resolv.conf
`

const openresolv = `
${install('openresolv')}
rm -f /usr/bin/resolvectl /etc/resolv.conf
echo 'nameserver 192.168.78.1' | resolvconf -a bond0.dhcp
`

const debianResolvconf = `
${install('resolvconf')}
rm -f /usr/bin/resolvectl /etc/resolv.conf
ln -s /run/resolvconf/resolv.conf /etc/resolv.conf
mkdir -p /run/resolvconf/interface
ln -sfn /run/resolvconf /etc/resolvconf/run
resolvconf --enable-updates
echo 'nameserver 192.168.78.1' | resolvconf -a eth0.dhclient
`

/** Answers every question for an IPv4 address with the one that belongs to where it was asked. */
const nameServer = `
for (const [address, answer] of [['192.168.78.1', '${answers.network}'], ['10.89.1.53', '${answers.tunnel}']]) {
  const socket = require('node:dgram').createSocket('udp4')
  socket.on('message', (question, { address: to, port }) => {
    let end = 12
    while (question[end] !== 0) end += question[end] + 1
    const isA = question.readUInt16BE(end + 1) === 1
    const head = Buffer.from(question.subarray(0, end + 5))
    head.writeUInt16BE(0x8180, 2)
    head.writeUInt16BE(isA ? 1 : 0, 6)
    head.writeUInt32BE(0, 8)
    const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...answer.split('.').map(Number)])
    socket.send(isA ? Buffer.concat([head, record]) : head, port, to)
  })
  socket.bind(53, address, () => console.log('listening'))
}`

describe.runIf(here).each([
  { name: 'systemd-resolved', setUp: resolved, splits: true, leavesOnly: ['127.0.0.53'] },
  { name: 'openresolv', setUp: openresolv, splits: false, leavesOnly: ['10.89.1.53'] },
  // It knows no way to leave the others out; they are asked only where the first does not answer.
  { name: 'resolvconf', setUp: debianResolvconf, splits: false, leavesOnly: ['10.89.1.53', '192.168.78.1'] },
])('name servers with $name', ({ setUp, splits, leavesOnly }) => {
  const authority = createTestAuthority()
  const clientKeyPair = authority.issue({ commonName: 'client', usage: 'clientAuth' })
  let serverKeyPair: IssuedKeyPair
  let computer: PrivateComputer
  let folder: string
  let nameServers: ReturnType<typeof startNameServers>
  const running: (() => Promise<void>)[] = []

  function startNameServers() {
    const [program, ...words] = computer.asRoot
    return execa(program, [...words, 'ip', 'netns', 'exec', 'server', '/srv/node', '-e', nameServer], {
      reject: false,
    })
  }

  beforeAll(async () => {
    serverKeyPair = authority.issue({ commonName: 'vpn.example.org', usage: 'serverAuth' })
    computer = await PrivateComputer.make(tree, `${network}${setUp}`)
    nameServers = startNameServers()
    folder = await mkdtemp(path.join(tmpdir(), 'causeway-names-'))
    await writeFile(
      path.join(folder, 'helper'),
      `#!/bin/sh\nexec ${computer.asRoot.join(' ')} /usr/libexec/causeway/causeway-helper "$@"\n`,
    )
    await chmod(path.join(folder, 'helper'), 0o755)
    await vi.waitUntil(async () => (await answerTo('www.example.net')) === answers.network, {
      timeout: 20_000,
      interval: 100,
    })
  })

  afterEach(async () => {
    for (const stop of running.splice(0).reverse()) await stop()
  })

  afterAll(async () => {
    nameServers.kill('SIGKILL')
    await nameServers
    await computer.remove()
    await rm(folder, { recursive: true, force: true })
  })

  /** What a program there is told, as glibc finds it out. */
  async function answerTo(name: string): Promise<string> {
    const found = await computer.run(`getent ahostsv4 ${name} || true`)
    return found.split(' ')[0] ?? ''
  }

  async function connect(pushed: readonly string[]): Promise<{ tunnel: Tunnel; details: TunnelDetails }> {
    const [program, ...words] = computer.asRoot
    const configuration = [
      'mode server',
      'tls-server',
      'local 192.0.2.1',
      'port 1194',
      'dev tun',
      'topology subnet',
      'ifconfig 10.89.0.1 255.255.255.0',
      'ifconfig-pool 10.89.0.10 10.89.0.100 255.255.255.0',
      ...['topology subnet', 'route-gateway 10.89.0.1', 'route 10.89.1.0 255.255.255.0', ...pushed].map(
        (option) => `push "${option}"`,
      ),
      'keepalive 3 10',
      'dh none',
      'verb 3',
      inline('ca', authority.certificate),
      inline('cert', serverKeyPair.certificate),
      inline('key', serverKeyPair.privateKey),
    ].join('\n')
    running.push(
      await runOpenVpnServer(program, [...words, 'ip', 'netns', 'exec', 'server', 'openvpn'], configuration),
    )
    const rights = createTunnelRights({
      openVpnPath: () => Promise.resolve(undefined),
      killSwitch: () => Promise.resolve(false),
      onNotice: () => undefined,
      helper: path.join(folder, 'helper'),
    })
    const profile = portalProfile({ ca: authority.certificate, remotes: ['192.0.2.1 1194 udp'] })
    let onConnected: (details: TunnelDetails) => void = () => undefined
    const connected = new Promise<TunnelDetails>((resolve) => {
      onConnected = resolve
    })
    const tunnel = await rights.startTunnel({
      configuration: buildConfiguration(profile, clientKeyPair, { platform: 'linux', mode: 'full' }),
      mode: 'full',
      onEvent: (event) => {
        if (event.event === 'connected') onConnected(event.details)
      },
    })
    running.push(() => tunnel.stop())
    const end = tunnel.ended.then((how) => {
      throw new Error(JSON.stringify(how))
    })
    const details = await Promise.race([connected, end])
    end.catch(() => undefined)
    return { tunnel, details }
  }

  const all = ['redirect-gateway def1', 'dhcp-option DNS 10.89.1.53', 'dhcp-option DOMAIN corp.example']

  async function isUndone(): Promise<void> {
    await vi.waitUntil(
      async () =>
        (await answerTo('www.example.net')) === answers.network &&
        !(await computer.run('cat /etc/resolv.conf')).includes('corp.example'),
      { timeout: 10_000, interval: 50 },
    )
  }

  it('answers every name through a tunnel that takes all traffic, tries its domain, and undoes it', async () => {
    const { tunnel, details } = await connect(all)
    expect(details.dns).toEqual({ servers: ['10.89.1.53'], domains: ['corp.example'], applied: true })
    expect(await answerTo('www.example.net')).toBe(answers.tunnel)
    expect(await answerTo('host.corp.example')).toBe(answers.tunnel)
    const resolvConf = await computer.run('cat /etc/resolv.conf')
    expect(resolvConf).toMatch(/^search corp\.example/m)
    expect([...resolvConf.matchAll(/^nameserver (\S+)/gm)].map(([, server]) => server)).toEqual(leavesOnly)
    await tunnel.stop()
    await isUndone()
  })

  it(
    splits
      ? 'answers only the names of the domains that were pushed, where not all traffic is taken'
      : 'asks the servers of the tunnel first, where not all traffic is taken: it cannot tell domains apart',
    async () => {
      const { tunnel } = await connect(['dhcp-option DNS 10.89.1.53', 'dhcp-option DOMAIN corp.example'])
      expect(await answerTo('host.corp.example')).toBe(answers.tunnel)
      expect(await answerTo('www.example.net')).toBe(splits ? answers.network : answers.tunnel)
      await tunnel.stop()
      await isUndone()
    },
  )

  it('undoes it when the helper is killed', async () => {
    const { tunnel, details } = await connect(all)
    expect(await answerTo('www.example.net')).toBe(answers.tunnel)
    process.kill(Number(details.device?.replace(/\D/g, '')), 'SIGKILL')
    await tunnel.ended
    await isUndone()
  })
})
