import type { TunnelDetails } from '../../../contract/connection'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { execa } from 'execa'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'

import { createTestAuthority } from './certificates.testing'
import { mayMakePrivateComputer } from '../../privilege/private-computer.testing'
import { ServedComputer } from './served-computer.testing'
import type { Tunnel } from '../tunnel'
import { isSlowRun } from '../../../scripts/nightly-tests'

// The real systemd-resolved, openresolv, resolvconf and NetworkManager, each on a private computer in memory, because they would
// take over DNS on this one, and a computer with none of them. scripts/set-up.ts downloads their packages.

const packages = path.join(import.meta.dirname, '../../../node_modules/.cache/causeway-name-servers')
const files = await readdir(packages, { recursive: true }).catch(() => [])
const hasAll = (...names: readonly string[]) =>
  names.every((name) => files.some((file) => path.basename(file).startsWith(`${name}_`)))
const here = await mayMakePrivateComputer(['dpkg-deb', 'tar', 'getent', 'gdbus'])
const remaining = (here ? [] : ['all']).concat(
  hasAll('systemd-resolved', 'libsystemd-shared', 'openresolv', 'resolvconf')
    ? []
    : 'systemd-resolved, resolvconf',
  hasAll('network-manager') ? [] : 'NetworkManager',
)
if (remaining.length > 0) {
  process.stderr.write(
    `Left out, because their packages or a private computer are missing: ${remaining.join(', ')}.\n`,
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

/** The network's own link is exempt from what an administrator demands of all: its server can do neither, as most in tunnels. */
const resolved = `
${install('libsystemd-shared')}${install('systemd-resolved')}
getent passwd systemd-resolve >/dev/null || echo 'systemd-resolve:x:20124:20124::/:/bin/false' >>/etc/passwd
getent group systemd-resolve >/dev/null || echo 'systemd-resolve:x:20124:' >>/etc/group
install -d -o systemd-resolve -g systemd-resolve /run/systemd/resolve
printf '[Resolve]\\nDNS=192.168.78.1\\nDNSOverTLS=yes\\nDNSSEC=yes\\nLLMNR=no\\nMulticastDNS=no\\n' >/etc/systemd/resolved.conf
dbus-send --system --type=method_call --dest=org.freedesktop.DBus / org.freedesktop.DBus.ReloadConfig
rm -f /etc/resolv.conf
ln -s /run/systemd/resolve/stub-resolv.conf /etc/resolv.conf
tied /usr/lib/systemd/systemd-resolved
gdbus wait --system --timeout 20 org.freedesktop.resolve1
resolvectl dnsovertls eth0 no
resolvectl dnssec eth0 no
resolvectl dns eth0 192.168.78.1
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

/** With a network of its own, on a computer without udev, as in a container. */
const networkManager = `
${install('network-manager/*')}
rm -f /usr/bin/resolvectl /usr/sbin/resolvconf /etc/resolv.conf
mount -t sysfs -o ro sysfs /sys
ip address flush dev eth0
rm -rf /etc/NetworkManager /usr/lib/NetworkManager/conf.d /var/lib/NetworkManager
mkdir -p /etc/NetworkManager/system-connections
printf '[main]\nplugins=keyfile\nauth-polkit=false\n' >/etc/NetworkManager/NetworkManager.conf
cat >/etc/NetworkManager/system-connections/network.nmconnection <<'END'
[connection]
id=network
type=ethernet
interface-name=eth0
[ipv4]
method=manual
addresses=192.168.78.2/24
gateway=192.168.78.1
dns=192.168.78.1;
[ipv6]
method=disabled
END
chmod 600 /etc/NetworkManager/system-connections/*
dbus-send --system --type=method_call --dest=org.freedesktop.DBus / org.freedesktop.DBus.ReloadConfig
tied NetworkManager --no-daemon
until grep -q 192.168.78.1 /etc/resolv.conf 2>/dev/null; do sleep 0.05; done
`

/** A plain Debian. */
const none = `
rm -f /usr/bin/resolvectl /usr/sbin/resolvconf /etc/resolv.conf
echo 'nameserver 192.168.78.1' >/etc/resolv.conf
`

/** A program called resolvconf that nothing shows to be asked: it keeps what it is told, and leaves /etc/resolv.conf alone. */
const unaskedResolvconf = `${none}
cat >/usr/sbin/resolvconf <<'END'
#!/bin/sh
mkdir -p /run/told
case "$1" in -a) cat >"/run/told/$2";; -d) rm -f "/run/told/$2";; esac
END
chmod 755 /usr/sbin/resolvconf
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

const computers = [
  { name: 'systemd-resolved', way: 'resolvectl', setUp: resolved, splits: true, leavesOnly: ['127.0.0.53'] },
  { name: 'openresolv', way: 'resolvconf', setUp: openresolv, splits: false, leavesOnly: ['10.89.1.53'] },
  // It cannot exclude other servers; they are used only if the first does not answer.
  {
    name: 'resolvconf',
    way: 'resolvconf',
    setUp: debianResolvconf,
    splits: false,
    leavesOnly: ['10.89.1.53', '192.168.78.1'],
  },
  {
    name: 'network-manager',
    way: 'NetworkManager',
    setUp: networkManager,
    splits: false,
    leavesOnly: ['10.89.1.53'],
  },
  { name: 'none', way: 'resolv.conf', setUp: none, splits: false, leavesOnly: ['10.89.1.53'] },
  {
    name: 'unasked resolvconf',
    way: 'resolv.conf',
    setUp: unaskedResolvconf,
    splits: false,
    leavesOnly: ['10.89.1.53'],
    received: 'nameserver 10.89.1.53\nsearch corp.example',
  },
]
  .filter(({ name, way }) => way === 'resolv.conf' || hasAll(name))
  .filter(({ name }) => isSlowRun || name === 'systemd-resolved' || name === 'unasked resolvconf')

describe.runIf(here).each(computers)(
  'DNS servers with $name',
  ({ way, setUp, splits, leavesOnly, received }) => {
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

    async function connect(
      options: readonly string[],
    ): Promise<{ tunnel: Tunnel; details: TunnelDetails; latest: () => TunnelDetails | undefined }> {
      const { tunnel, outcome, latest } = await served.connect({
        address: '192.0.2.1',
        protocol: 'udp',
        pushed: ['route 10.89.1.0 255.255.255.0', ...options],
      })
      if (!('addresses' in outcome)) throw new Error(JSON.stringify(outcome))
      return { tunnel, details: outcome, latest }
    }

    const all = ['redirect-gateway def1', 'dhcp-option DNS 10.89.1.53', 'dhcp-option DOMAIN corp.example']

    async function isUndone(): Promise<void> {
      await vi.waitUntil(
        async () =>
          (await answerTo('www.example.net')) === answers.network &&
          !(await served.computer.run('cat /etc/resolv.conf /run/told/* || true')).includes('corp.example'),
        { interval: 50 },
      )
    }

    it('resolves all names through a tunnel for all traffic, completes short names, and restores DNS', async () => {
      const { tunnel, details } = await connect(all)
      expect(details.dns).toEqual({ servers: ['10.89.1.53'], domains: ['corp.example'], applied: true, way })
      expect(await answerTo('www.example.net')).toBe(answers.tunnel)
      expect(await answerTo('host.corp.example')).toBe(answers.tunnel)
      const resolvConf = await served.computer.run('cat /etc/resolv.conf')
      expect(resolvConf).toMatch(/^search corp\.example/m)
      expect([...resolvConf.matchAll(/^nameserver (\S+)/gm)].map(([, server]) => server)).toEqual(leavesOnly)
      if (received !== undefined) expect(await served.computer.run('cat /run/told/*')).toBe(received)
      await tunnel.stop()
      await isUndone()
    })

    it(
      splits
        ? 'resolves only the pushed domains through a split tunnel'
        : 'prefers the servers of a split tunnel for all domains, because it cannot separate them',
      async () => {
        const { tunnel, details } = await connect([
          'dhcp-option DNS 10.89.1.53',
          'dhcp-option DOMAIN corp.example',
        ])
        expect(details.dns).toMatchObject({ applied: true, way })
        expect(details.dns?.allNames).toBe(splits ? undefined : true)
        expect(await answerTo('host.corp.example')).toBe(answers.tunnel)
        expect(await answerTo('www.example.net')).toBe(splits ? answers.network : answers.tunnel)
        await tunnel.stop()
        await isUndone()
      },
    )

    it.skipIf(way === 'resolv.conf')('notices that another program has programs ask elsewhere', async () => {
      const { tunnel, details, latest } = await connect(all)
      expect(details.dns?.applied).toBe(true)
      await served.computer.run(
        'mv /etc/resolv.conf /etc/resolv.conf.test; echo nameserver 192.168.78.1 >/etc/resolv.conf',
      )
      expect(await answerTo('www.example.net')).toBe(answers.network)
      await vi.waitUntil(() => latest()?.dns?.applied === false)
      await served.computer.run('mv /etc/resolv.conf.test /etc/resolv.conf')
      await tunnel.stop()
      await isUndone()
    })

    describe.runIf(way === 'resolvectl')('although another link answers every name', () => {
      beforeAll(() => served.computer.run('resolvectl domain eth0 ~.'))
      afterAll(() => served.computer.run("resolvectl domain eth0 ''"))

      it('asks the servers of a tunnel for all traffic alone', async () => {
        const { tunnel, details } = await connect(all)
        expect(details.dns).toMatchObject({ applied: true, way: 'resolv.conf' })
        expect(await answerTo('www.example.net')).toBe(answers.tunnel)
        await tunnel.stop()
        await isUndone()
      })

      it('does not say so where the C library asks systemd-resolved by itself', async () => {
        await served.computer.run("sed -i 's/files dns/files resolve dns/' /etc/nsswitch.conf")
        const { tunnel, details } = await connect(all)
        expect(details.dns).toMatchObject({ applied: false })
        await tunnel.stop()
        await served.computer.run("sed -i 's/resolve dns/dns/' /etc/nsswitch.conf")
        await isUndone()
      })

      it('separates the domains of a split tunnel', async () => {
        const { tunnel, details } = await connect([
          'dhcp-option DNS 10.89.1.53',
          'dhcp-option DOMAIN corp.example',
        ])
        expect(details.dns).toMatchObject({ applied: true, way })
        expect(await answerTo('host.corp.example')).toBe(answers.tunnel)
        expect(await answerTo('www.example.net')).toBe(answers.network)
        await tunnel.stop()
        await isUndone()
      })
    })

    it('restores DNS when the helper is killed', async () => {
      const { tunnel, details } = await connect(all)
      expect(await answerTo('www.example.net')).toBe(answers.tunnel)
      process.kill(Number(details.device?.replace(/\D/g, '')), 'SIGKILL')
      await tunnel.ended
      await isUndone()
    })
  },
)
