import type { TunnelDetails } from '../../../contract/connection'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { execa } from 'execa'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'

import { createTestAuthority } from './certificates.testing'
import { mayMakePrivateComputer } from '../../privilege/private-computer.testing'
import { ServedComputer } from './served-computer.testing'
import type { Tunnel } from '../tunnel'

// The real systemd-resolved, openresolv and resolvconf, each on a private computer in memory, because they would
// take over DNS on this one. scripts/set-up.ts downloads their packages.
vi.setConfig({ testTimeout: 40_000, hookTimeout: 40_000 })

const packages = path.join(import.meta.dirname, '../../../node_modules/.cache/causeway-name-servers')
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

/** Names resolve to one address in the network, and to another through the tunnel. */
const answers = { network: '192.0.2.66', tunnel: '192.0.2.77' }

const install = (name: string) =>
  `for deb in "$1"/node_modules/.cache/causeway-name-servers/${name}_*.deb; do dpkg-deb --fsys-tarfile "$deb" | tar -x -C / --keep-directory-symlink; done\n`

/** The DNS server of the network, and the one behind the tunnel. */
const places = 'ip route add default via 192.168.78.1\nip -n server address add 10.89.1.53/32 dev lo\n'

/** Only the network's DNS server is used without a tunnel. */
const hosts = "rm -f /etc/nsswitch.conf\necho 'hosts: files dns' >/etc/nsswitch.conf\n"

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

/** Answers every IPv4 query with the address of the server that received it. */
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
  // It cannot exclude other servers; they are used only if the first does not answer.
  { name: 'resolvconf', setUp: debianResolvconf, splits: false, leavesOnly: ['10.89.1.53', '192.168.78.1'] },
])('DNS servers with $name', ({ setUp, splits, leavesOnly }) => {
  let served: ServedComputer
  let nameServers: ReturnType<typeof startNameServers>

  function startNameServers() {
    const [program, ...words] = served.computer.asRoot
    return execa(program, [...words, 'ip', 'netns', 'exec', 'server', '/srv/node', '-e', nameServer], {
      reject: false,
    })
  }

  beforeAll(async () => {
    served = await ServedComputer.make(createTestAuthority(), `${places}${hosts}${setUp}`)
    nameServers = startNameServers()
    await vi.waitUntil(async () => (await answerTo('www.example.net')) === answers.network, {
      timeout: 20_000,
      interval: 100,
    })
  })

  afterEach(async () => {
    await served.stop()
  })

  afterAll(async () => {
    nameServers.kill('SIGKILL')
    await nameServers
    await served.remove()
  })

  /** Returns the result of a program there, resolved by glibc. */
  async function answerTo(name: string): Promise<string> {
    const found = await served.computer.run(`getent ahostsv4 ${name} || true`)
    return found.split(' ')[0] ?? ''
  }

  async function connect(options: readonly string[]): Promise<{ tunnel: Tunnel; details: TunnelDetails }> {
    const { tunnel, outcome } = await served.connect({
      address: '192.0.2.1',
      protocol: 'udp',
      pushed: ['route 10.89.1.0 255.255.255.0', ...options],
    })
    if (!('addresses' in outcome)) throw new Error(JSON.stringify(outcome))
    return { tunnel, details: outcome }
  }

  const all = ['redirect-gateway def1', 'dhcp-option DNS 10.89.1.53', 'dhcp-option DOMAIN corp.example']

  async function isUndone(): Promise<void> {
    await vi.waitUntil(
      async () =>
        (await answerTo('www.example.net')) === answers.network &&
        !(await served.computer.run('cat /etc/resolv.conf')).includes('corp.example'),
      { timeout: 10_000, interval: 50 },
    )
  }

  it('resolves all names through a tunnel for all traffic, completes short names, and restores DNS', async () => {
    const { tunnel, details } = await connect(all)
    expect(details.dns).toEqual({ servers: ['10.89.1.53'], domains: ['corp.example'], applied: true })
    expect(await answerTo('www.example.net')).toBe(answers.tunnel)
    expect(await answerTo('host.corp.example')).toBe(answers.tunnel)
    const resolvConf = await served.computer.run('cat /etc/resolv.conf')
    expect(resolvConf).toMatch(/^search corp\.example/m)
    expect([...resolvConf.matchAll(/^nameserver (\S+)/gm)].map(([, server]) => server)).toEqual(leavesOnly)
    await tunnel.stop()
    await isUndone()
  })

  it(
    splits
      ? 'resolves only the pushed domains through a split tunnel'
      : 'prefers the servers of a split tunnel for all domains, because it cannot separate them',
    async () => {
      const { tunnel } = await connect(['dhcp-option DNS 10.89.1.53', 'dhcp-option DOMAIN corp.example'])
      expect(await answerTo('host.corp.example')).toBe(answers.tunnel)
      expect(await answerTo('www.example.net')).toBe(splits ? answers.network : answers.tunnel)
      await tunnel.stop()
      await isUndone()
    },
  )

  it('restores DNS when the helper is killed', async () => {
    const { tunnel, details } = await connect(all)
    expect(await answerTo('www.example.net')).toBe(answers.tunnel)
    process.kill(Number(details.device?.replace(/\D/g, '')), 'SIGKILL')
    await tunnel.ended
    await isUndone()
  })
})
