import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile, readdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { execa } from 'execa'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { type TestHelper, installTestHelper, mayMakeNamespaces } from '../../privilege/helper.testing'
import { rows, slow } from '../../../scripts/slow.testing'

const clientSpace = `causeway-kc-${process.pid}`
const serverSpace = `causeway-ks-${process.pid}`
const serverAddress = '192.168.79.1'
const serverIpv6 = 'fd79::1'
const user = 65_534
const sbin = { env: { PATH: `${process.env.PATH ?? ''}:/usr/sbin` } }

const otherUser = 1

/** The mark of OpenVPN's packets (docs/helper.md). */
const mark = 0x3000

/** Runs as the user, or as the one in `AS`, with this program as OpenVPN. */
const runs = (script: string) => `
export SUDO_UID=\${AS-${user}}
cat >$own/openvpn <<END
#!/bin/sh
${script}
END
stand_in $own/openvpn
mount --bind $own/openvpn /usr/sbin/openvpn
`

/** With an OpenVPN that only waits for its end. */
const prepare = runs('exec sleep 600')

/** Resolves every name with a program of the test. */
const getent = (script: string) => `${prepare}
cat >$own/getent <<END
#!/bin/sh
${script}
END
chmod 755 $own/getent
mount --bind $own/getent /usr/bin/getent
`

/** An nft that lists nothing in time, as when another user has many connections. */
const slowToList = `${prepare}
cp /usr/sbin/nft $own/real-nft
cat >$own/nft <<END
#!/bin/sh
[ "\\$1" != list ] || exit 1
exec $own/real-nft "\\$@"
END
chmod 755 $own/nft
mount --bind $own/nft /usr/sbin/nft
`

/** Sends a datagram and prints the outcome. Arguments: address, port, mark or 0. */
const sendDatagram = `
use Socket qw(:DEFAULT inet_pton pack_sockaddr_in6);
my ($host, $port, $mark) = @ARGV;
my $isIpv6 = $host =~ /:/;
socket(my $socket, $isIpv6 ? PF_INET6 : PF_INET, SOCK_DGRAM, 0) or die;
my $SO_MARK = 36;
print 'unmarked ' if $mark and not setsockopt($socket, SOL_SOCKET, $SO_MARK, pack('i', $mark));
my $to = $isIpv6 ? pack_sockaddr_in6($port, inet_pton(AF_INET6, $host)) : pack_sockaddr_in($port, inet_aton($host));
print send($socket, 'x', 0, $to) ? 'sent' : 'blocked';
`

async function run(...words: readonly string[]): Promise<string> {
  return (await execa(words[0] ?? '', words.slice(1), sbin)).stdout
}

const inClient = (...words: readonly string[]) => run('ip', 'netns', 'exec', clientSpace, ...words)

async function mayRaiseKillSwitch(): Promise<boolean> {
  if (!(await mayMakeNamespaces())) return false
  const { failed } = await execa('unshare', ['-n', 'nft', 'add', 'table', 'inet', 'x'], {
    ...sbin,
    reject: false,
  })
  return !failed
}

/** Needs root and nft. Uses private namespaces. */
describe.runIf(await mayRaiseKillSwitch())('the kill switch', () => {
  const installed: TestHelper[] = []
  const running: (() => Promise<void>)[] = []

  beforeAll(async () => {
    for (const space of [clientSpace, serverSpace]) {
      await run('ip', 'netns', 'add', space)
      await run('ip', '-n', space, 'link', 'set', 'lo', 'up')
    }
    const [client, server] = ['veth-kc', 'veth-ks']
    await run(
      ...['ip', '-n', clientSpace, 'link', 'add', client, 'type', 'veth', 'peer', 'name', server],
      ...['netns', serverSpace],
    )
    for (const [space, link, ipv4, ipv6] of [
      [clientSpace, client, '192.168.79.2', 'fd79::2'],
      [serverSpace, server, serverAddress, serverIpv6],
    ] as const) {
      await run('ip', '-n', space, 'address', 'add', `${ipv4}/24`, 'dev', link)
      await run('ip', '-n', space, 'address', 'add', `${ipv6}/64`, 'dev', link, 'nodad')
      await run('ip', '-n', space, 'link', 'set', link, 'up')
    }
  })

  afterEach(async () => {
    for (const stop of running.splice(0).reverse()) await stop()
    await inClient('nft', 'flush', 'ruleset')
  })

  afterAll(async () => {
    for (const space of [clientSpace, serverSpace]) await run('ip', 'netns', 'delete', space)
    for (const each of installed) await each.remove()
  })

  async function install(
    preparation = prepare,
    build?: Parameters<typeof installTestHelper>[2],
  ): Promise<TestHelper> {
    const helper = await installTestHelper(preparation, `ip netns exec ${clientSpace}`, build)
    installed.push(helper)
    return helper
  }

  /** Starts a tunnel with the kill switch; `output` is the helper's output so far. */
  function start(
    { helper }: TestHelper,
    remote = '192.0.2.1 1194 udp',
    { uid = user, killSwitch = 'on' } = {},
  ) {
    const subprocess = execa(helper, ['run'], { stdin: 'pipe', reject: false, env: { AS: String(uid) } })
    const output: string[] = []
    createInterface({ input: subprocess.stderr }).on('line', (line) =>
      output.push(line.replace('causeway-helper: ', '')),
    )
    running.push(async () => {
      subprocess.stdin.end()
      subprocess.kill('SIGCONT')
      await subprocess
    })
    subprocess.stdin.on('error', () => undefined)
    subprocess.stdin.write(`kill-switch ${killSwitch}\ndns off\nremote ${remote}\n#END\n`)
    const started = () => vi.waitUntil(() => output.some((line) => line.startsWith('started')))
    return { subprocess, output, started }
  }

  /** Adds the device of a tunnel, with the server's namespace at its other end; returns its name. */
  async function addDevice({ subprocess }: ReturnType<typeof start>): Promise<string> {
    const device = `cw${String(subprocess.pid)}t`
    const peer = ['peer', 'name', 'veth-kt', 'netns', serverSpace]
    await run('ip', '-n', clientSpace, 'link', 'add', device, 'type', 'veth', ...peer)
    running.push(async () => {
      await run('ip', '-n', clientSpace, 'link', 'delete', device)
    })
    for (const [space, link, address] of [
      [clientSpace, device, '10.79.0.2/24'],
      [serverSpace, 'veth-kt', '10.79.0.1/24'],
    ] as const) {
      await run('ip', '-n', space, 'address', 'add', address, 'dev', link)
      await run('ip', '-n', space, 'link', 'set', link, 'up')
    }
    return device
  }

  /** Returns what `release` says for a user. */
  const release = async ({ helper }: TestHelper, uid = user) =>
    (await execa(helper, ['release'], { reject: false, env: { AS: String(uid) } })).stderr.replaceAll(
      'causeway-helper: ',
      '',
    )

  /** The words before a program that runs in the client's network as a user, with these capabilities. */
  function asUser(uid: number, capabilities: readonly string[] = []): readonly [string, ...string[]] {
    const list = capabilities.map((each) => `+${each}`).join(',')
    const caps = list === '' ? [] : [`--inh-caps=${list}`, `--ambient-caps=${list}`]
    const setpriv = ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', ...caps, '--']
    return ['ip', 'netns', 'exec', clientSpace, ...setpriv]
  }

  async function send(
    address: string,
    port: number,
    { uid = user, mark = 0, capabilities = [] as readonly string[] } = {},
  ): Promise<string> {
    return run(...asUser(uid, capabilities), 'perl', '-e', sendDatagram, address, String(port), String(mark))
  }

  async function reaches(address: string, uid = user): Promise<boolean> {
    const [program, ...words] = asUser(uid)
    const ping = ['ping', '-c', '1', '-W', '1', address]
    return (await execa(program, [...words, ...ping], { ...sbin, reject: false })).exitCode === 0
  }

  const isStopped = async (pid: number | undefined) =>
    /^State:\tT/m.test(await readFile(`/proc/${String(pid)}/status`, 'utf8').catch(() => ''))

  const recordsOf = (helper: TestHelper) => path.join(helper.folder, 'state', String(user))

  /** Runs a program in the client's network as the user or root; it prints `connected`. */
  async function connect(
    port: number,
    { uid = user, localPort = 0, waits = true, host = serverAddress } = {},
  ) {
    const script = `
      process.setgid(${uid})
      process.setuid(${uid})
      const socket = require('node:net').connect({ host: '${host}', port: ${port}, localPort: ${localPort} })
      socket.on('connect', () => console.log('connected'))
      process.stdin.once('data', () => {
        socket.write('secret')
        process.exit()
      })`
    const words = ['netns', 'exec', clientSpace, process.execPath, '-e', script]
    const program = execa('ip', words, { ...sbin, stdin: 'pipe', reject: false, timeout: 180_000 })
    running.push(async () => {
      program.kill('SIGKILL')
      await program
    })
    const connected = once(createInterface({ input: program.stdout }), 'line')
    if (waits) expect(await connected).toEqual(['connected'])
    return {
      end: async () => {
        program.kill('SIGKILL')
        await program
      },
      /** Ends the program while data is still unsent. */
      writeAndEnd: async () => {
        program.stdin.write('now\n')
        await program
      },
    }
  }

  async function startServer(): Promise<number> {
    const script = `
      const server = require('node:net').createServer((socket) => socket.on('error', () => {}))
      server.listen(0, '0.0.0.0', () => console.log(server.address().port))`
    const words = ['netns', 'exec', serverSpace, process.execPath, '-e', script]
    const program = execa('ip', words, { ...sbin, reject: false })
    running.push(async () => {
      program.kill('SIGKILL')
      await program
    })
    const [port] = (await once(createInterface({ input: program.stdout }), 'line')) as [string]
    return Number(port)
  }

  /** Counts packets to a port before and after the kill switch, and blocks answers. */
  async function countPackets(port: number) {
    const rules = `table inet counts {
      counter tried {}
      counter sent {}
      chain answers { type filter hook prerouting priority -300; tcp sport ${port} drop; }
      chain before { type filter hook output priority -10; tcp dport ${port} counter name tried; }
      chain after { type filter hook output priority 10; tcp dport ${port} counter name sent; }
    }`
    await execa('ip', ['netns', 'exec', clientSpace, 'nft', '-f', '-'], { ...sbin, input: rules })
    return {
      reset: () => inClient('nft', 'reset', 'counters', 'table', 'inet', 'counts'),
      of: async (name: 'tried' | 'sent') =>
        Number(
          /packets (\d+)/.exec(await inClient('nft', 'list', 'counter', 'inet', 'counts', name))?.[1] ?? NaN,
        ),
    }
  }

  /** Closes connections of the user with unsent data. */
  async function leaveConnections(port: number, count: number) {
    const script = `
      process.setgid(${user})
      process.setuid(${user})
      const sockets = []
      const connect = () => {
        const socket = require('node:net').connect({ host: '${serverAddress}', port: ${port} })
        socket.on('error', () => undefined)
        socket.on('connect', () => {
          if (sockets.push(socket) === ${count}) console.log('connected')
          else connect()
        })
      }
      connect()
      process.stdin.once('data', () => {
        for (const socket of sockets) socket.write('secret')
        process.exit()
      })`
    const words = ['netns', 'exec', clientSpace, process.execPath, '-e', script]
    const program = execa('ip', words, { ...sbin, stdin: 'pipe', reject: false, timeout: 180_000 })
    running.push(async () => {
      program.kill('SIGKILL')
      await program
    })
    await once(createInterface({ input: program.stdout }), 'line')
    const packets = await countPackets(port)
    program.stdin.write('now\n')
    await program
    return packets
  }

  describe('for TCP connections that their program has closed', () => {
    it.each(rows(['before', 'after'] as const, 1))(
      'blocks unsent data of a connection closed %s the kill switch was turned on',
      async (closed) => {
        const helper = await install()
        const port = await startServer()
        const program = await connect(port)
        const packets = await countPackets(port)
        if (closed === 'before') {
          await program.writeAndEnd()
          expect(await packets.of('sent')).toBeGreaterThan(0)
        }
        await start(helper).started()
        await packets.reset()
        if (closed === 'after') await program.writeAndEnd()
        // The kernel retransmits unconfirmed data.
        await vi.waitUntil(async () => (await packets.of('tried')) > (closed === 'before' ? 0 : 3), {
          interval: 50,
        })
        expect(await packets.of('sent')).toBe(0)
      },
    )

    slow('blocks it also if there are too many to list', async () => {
      const helper = await install()
      const port = await startServer()
      const packets = await leaveConnections(port, 4100)
      await start(helper).started()
      await packets.reset()
      await vi.waitUntil(async () => (await packets.of('tried')) > 100, { timeout: 30_000, interval: 50 })
      expect(await packets.of('sent')).toBe(0)
      expect(await inClient('nft', 'list', 'set', 'inet', `causeway_${user}`, 'closed4')).not.toContain(
        `${serverAddress} . ${port}`,
      )
    })

    slow('blocks it also when a second tunnel has replaced the kill switch', async () => {
      const helper = await install()
      const port = await startServer()
      const program = await connect(port)
      const packets = await countPackets(port)
      await start(helper).started()
      await program.writeAndEnd()
      await start(helper).started()
      await packets.reset()
      await vi.waitUntil(async () => (await packets.of('tried')) > 0, { interval: 50 })
      expect(await packets.of('sent')).toBe(0)
    })

    slow('blocks it also when a route leads past its original tunnel', async () => {
      const helper = await install()
      const port = await startServer()
      const tunnel = start(helper)
      await tunnel.started()
      await addDevice(tunnel)
      const program = await connect(port, { host: '10.79.0.1' })
      const packets = await countPackets(port)
      await program.writeAndEnd()
      expect(await packets.of('sent')).toBeGreaterThan(0)
      await run('ip', '-n', clientSpace, 'route', 'add', '10.79.0.1/32', 'via', serverAddress)
      await packets.reset()
      await vi.waitUntil(async () => (await packets.of('tried')) > 0, { interval: 50 })
      expect(await packets.of('sent')).toBe(0)
    })

    slow('does not block other programs with the same addresses and ports', async () => {
      const helper = await install()
      const port = await startServer()
      await start(helper).started()
      const localPort = 40_123
      const stopped = await connect(port, { localPort, waits: false })
      await vi.waitUntil(
        async () =>
          (await inClient('nft', 'list', 'set', 'inet', `causeway_${user}`, 'closed4')).includes(
            `. ${localPort} . ${serverAddress} . ${port} `,
          ),
        { interval: 50 },
      )
      await stopped.end()
      await connect(port, { uid: 0, localPort })
    })
  })

  it.each(rows(['kill-switch-noted', 'begun'], 1))(
    'can be lifted while a tunnel starts, but only after the start, at %s',
    async (step) => {
      const helper = await install(prepare, 'killpoints')
      await writeFile(path.join(helper.folder, 'state/stop-at'), step)
      const tunnel = start(helper)
      await vi.waitUntil(() => isStopped(tunnel.subprocess.pid))

      await writeFile(path.join(helper.folder, 'state/stop-at'), 'waiting')
      const release = execa(helper.helper, ['release'], { reject: false })
      let released = false
      const end = release.then(() => {
        released = true
      })
      await vi.waitUntil(async () => released || isStopped(release.pid))
      expect(released).toBe(false)
      expect(tunnel.output.some((line) => line.startsWith('started'))).toBe(false)

      tunnel.subprocess.kill('SIGCONT')
      await tunnel.started()
      release.kill('SIGCONT')
      await end
      expect(await release).toMatchObject({ stderr: 'causeway-helper: kill-switch released', exitCode: 0 })
      expect(tunnel.output[0]).toBe('kill-switch on')
      expect(await inClient('nft', 'list', 'tables')).not.toContain('causeway')
      expect(existsSync(path.join(recordsOf(helper), 'kill-switch'))).toBe(false)
    },
  )

  it('is not turned on by an oversized resolver answer, which takes no memory', async () => {
    const helper = await install(
      getent(`trap '' PIPE
echo 192.0.2.1 STREAM
head -c 100000000 /dev/zero | tr '\\\\0' '\\\\n'
grep VmHWM /proc/\\$PPID/status >$folder/memory
exit 0`),
    )
    // The resolver runs as the user.
    await run('chmod', '777', helper.folder)
    const tunnel = start(helper, 'vpn.example.org 1194 udp')
    expect((await tunnel.subprocess).exitCode).toBe(65)
    expect(tunnel.output).toEqual(['failed unresolved getent too-much-output'])
    const memory = await readFile(path.join(helper.folder, 'memory'), 'utf8').catch(() => 'VmHWM: 0 kB')
    expect(Number(/\d+/.exec(memory)?.[0])).toBeLessThan(50_000)
  })

  it('is not raised once the user has given up while a name is looked up', async () => {
    const helper = await install(
      getent(
        'mkdir $folder/answered 2>/dev/null && exec echo 192.0.2.1 STREAM\ntouch $folder/asked\nexec sleep 600',
      ),
    )
    await run('chmod', '777', helper.folder)
    const first = start(helper, 'vpn.example.org 1194 udp')
    await first.started()
    first.subprocess.stdin.end()
    await first.subprocess
    // Its last address is known.
    const second = start(helper, 'vpn.example.org 1194 udp')
    await vi.waitUntil(() => existsSync(path.join(helper.folder, 'asked')))
    second.subprocess.stdin.end()
    expect((await second.subprocess).exitCode).toBe(65)
    expect(second.output).toEqual(['failed unresolved getent cancelled'])
  })

  slow('stores the names of at most one request without a tunnel', async () => {
    const helper = await install(getent('echo 192.0.2.1 STREAM'))
    for (const name of ['a.example', 'b.example']) {
      const tunnel = start(helper, `${name} 1194 udp6`)
      expect((await tunnel.subprocess).exitCode).toBe(65)
      expect(tunnel.output).toEqual(['failed unresolved'])
    }
    expect(await readdir(recordsOf(helper))).toEqual(['name.b.example'])
  })

  describe.each(['up', 'killed before its rules were up'])('of a tunnel that is %s', (state) => {
    it('lets nobody else run a tunnel with a device that it permits', async () => {
      // The process id of a tunnel that has ended comes round again, and with it the name of its device.
      const helper = await install(
        `${prepare}
if [ -f $folder/other ]; then
  sed -i "s/$(cat $folder/other)/cw$$t/" $folder/state/${user}/kill-switch
fi
`,
        'killpoints',
      )
      const tunnel = start(helper)
      await tunnel.started()
      tunnel.subprocess.stdin.end()
      await tunnel.subprocess
      if (state !== 'up') {
        await writeFile(path.join(helper.folder, 'state/kill-at'), 'kill-switch-noted')
        await start(helper).subprocess
      }
      const device = `cw${String(tunnel.subprocess.pid)}t`
      expect(await inClient('nft', 'list', 'table', 'inet', `causeway_${user}`)).toContain(`"${device}"`)
      await writeFile(path.join(helper.folder, 'other'), device)

      const other = start(helper, undefined, { uid: otherUser })
      expect((await other.subprocess).exitCode).toBe(65)
      expect(other.output).toEqual(['failed device choose-device taken'])
      await rm(path.join(helper.folder, 'other'))
      await start(helper, undefined, { uid: otherUser }).started()
    })
  })

  slow('lets others connect, and is reported and lifted, although nft lists nothing in time', async () => {
    const helper = await install(slowToList)
    const tunnel = start(helper)
    await tunnel.started()
    const other = start(helper, undefined, { uid: otherUser })
    await other.started()
    expect(other.output.slice(0, 1)).toEqual(['kill-switch on'])
    const without = start(helper, undefined, { killSwitch: 'off' })
    await vi.waitUntil(() => without.output.includes('kill-switch left'))

    expect(await release(helper)).toBe('kill-switch released')
    expect(await inClient('nft', 'list', 'tables')).toBe(`table inet causeway_${otherUser}`)
    expect(await release(helper)).toBe('kill-switch none')
    expect(await release(helper, otherUser)).toBe('kill-switch released')
    expect(await inClient('nft', 'list', 'tables')).toBe('')
  })

  slow('remembers a limited number of connections', async () => {
    const helper = await install()
    await start(helper).started()
    const elements = Array.from({ length: 8193 }, (_, port) => `192.0.2.1 . ${port} . 192.0.2.2 . 80`)
    const { failed } = await execa('ip', ['netns', 'exec', clientSpace, 'nft', '-f', '-'], {
      ...sbin,
      input: `add element inet causeway_${user} closed4 { ${elements.join(', ')} }`,
      reject: false,
    })
    expect(failed).toBe(true)
    expect(await release(helper)).toBe('kill-switch released')
  })

  it('says that it cannot be lifted if nft fails, and stays', async () => {
    const helper = await install(`${prepare}
[ ! -f $folder/broken ] || mount --bind /bin/false /usr/sbin/nft
`)
    await start(helper).started()
    await writeFile(path.join(helper.folder, 'broken'), '')
    expect(await release(helper)).toBe('failed kill-switch nft exit-1')
    await rm(path.join(helper.folder, 'broken'))
    expect(await release(helper)).toBe('kill-switch released')
  })

  it('blocks what is not TCP, for its user only', async () => {
    const helper = await install()
    const outcomes = async (uid: number) => [
      await send(serverAddress, 5353, { uid }),
      await send(serverIpv6, 53, { uid }),
      await reaches(serverAddress, uid),
      await reaches(serverIpv6, uid),
    ]
    const open = ['sent', 'sent', true, true]
    expect(await outcomes(user)).toEqual(open)
    await start(helper).started()
    expect(await outcomes(user)).toEqual(['blocked', 'blocked', false, false])
    expect(await outcomes(otherUser)).toEqual(open)
    expect(await release(helper)).toBe('kill-switch released')
    expect(await outcomes(user)).toEqual(open)
  })

  slow('blocks what the mark of another program leads past the tunnel', async () => {
    const helper = await install()
    const tunnel = start(helper)
    await tunnel.started()
    const device = await addDevice(tunnel)
    await run('ip', '-n', clientSpace, 'route', 'add', '198.51.100.0/24', 'dev', device)
    const neighbor = `198.51.100.9 lladdr 02:00:00:00:00:09 dev ${device}`
    await run('ip', '-n', clientSpace, 'neighbor', 'add', ...neighbor.split(' '))
    expect(await send('198.51.100.9', 5000)).toBe('sent')
    await run('ip', '-n', clientSpace, 'route', 'add', 'default', 'via', serverAddress, 'table', '100')
    await run('ip', '-n', clientSpace, 'rule', 'add', 'fwmark', '7', 'lookup', '100')
    running.push(() => run('ip', '-n', clientSpace, 'rule', 'del', 'fwmark', '7').then(() => undefined))
    const marks = `table inet marks {
      chain output { type route hook output priority mangle; meta l4proto { tcp, udp } meta mark set 7; }
      chain departing { type filter hook postrouting priority 0; oifname "veth-kc" ip daddr 198.51.100.9 counter; }
    }`
    await execa('ip', ['netns', 'exec', clientSpace, 'nft', '-f', '-'], { ...sbin, input: marks })
    expect(await send('198.51.100.9', 5000)).toBe('blocked')
    expect(await inClient('nft', 'list', 'chain', 'inet', 'marks', 'departing')).toContain('packets 0 ')
    // Others still go where the mark leads.
    expect(await send('198.51.100.9', 5000, { uid: otherUser })).toBe('sent')
    expect(await inClient('nft', 'list', 'chain', 'inet', 'marks', 'departing')).toContain('packets 1 ')
  })

  slow('permits OpenVPN although another program marks its packets later', async () => {
    const helper = await install()
    await start(helper, `${serverAddress} 1194 udp`).started()
    const marks = `table inet marks {
      chain departing { type filter hook postrouting priority mangle; meta l4proto udp meta mark set 7; }
    }`
    await execa('ip', ['netns', 'exec', clientSpace, 'nft', '-f', '-'], { ...sbin, input: marks })
    expect(await send(serverAddress, 1194, { mark, capabilities: ['net_admin'] })).toBe('sent')
    expect(await send(serverAddress, 1194)).toBe('blocked')
  })

  describe('for the servers of the profile', () => {
    it.each(rows([serverAddress, serverIpv6], 1))(
      'lets only marked packets pass, as OpenVPN sends them, to %s',
      async (to) => {
        const helper = await install()
        await start(helper, `${to} 1194 ${to === serverAddress ? 'udp' : 'udp6'}`).started()
        expect(await send(to, 1194)).toBe('blocked')
        expect(await send(to, 1194, { mark })).toBe('unmarked blocked')
        const capabilities = ['net_admin']
        expect(await send(to, 1194, { mark, capabilities })).toBe('sent')
        expect(await send(to, 53, { mark, capabilities })).toBe('blocked')
        expect(await send(to, 1194, { mark: mark + 1, capabilities })).toBe('blocked')
      },
    )

    it.each(rows(['on', 'off'], 1))(
      'keeps the data channel in OpenVPN, which marks it: with the kill switch %s',
      async (killSwitch) => {
        const helper = await install(runs('echo "\\$*" >$folder/arguments\nexec sleep 600'))
        // OpenVPN runs as the user.
        await run('chmod', '777', helper.folder)
        await start(helper, undefined, { killSwitch }).started()
        const read = () => readFile(path.join(helper.folder, 'arguments'), 'utf8').catch(() => '')
        await vi.waitUntil(async () => (await read()).endsWith('\n'))
        expect(await read()).toContain(` --mark ${String(mark)}`)
        // The kernel's module for OpenVPN 2.6 sends without the mark; OpenVPN 2.5 does not know the option.
        expect((await read()).endsWith(' --ignore-unknown-option disable-dco --disable-dco\n')).toBe(
          killSwitch === 'on',
        )
      },
    )

    it('blocks the connections of other programs to the same port, new and closed ones', async () => {
      const helper = await install()
      const port = await startServer()
      const program = await connect(port)
      const packets = await countPackets(port)
      await start(helper, `${serverAddress} ${port} tcp`).started()
      await packets.reset()
      await connect(port, { waits: false })
      await vi.waitUntil(async () => (await packets.of('tried')) > 0, { interval: 50 })
      await program.writeAndEnd()
      await vi.waitUntil(async () => (await packets.of('tried')) > 5, { interval: 50 })
      expect(await packets.of('sent')).toBe(0)
    })

    it('asks no DHCP server for a user, who could reach any host that way where low ports need no right', async () => {
      const helper = await install()
      await start(helper).started()
      expect(await inClient('nft', 'list', 'table', 'inet', `causeway_${user}`)).not.toMatch(/dport (67|547)/)
    })
  })

  it('is not reported as repaired when another helper has only started', async () => {
    const helper = await install()
    expect(await release(helper)).toBe('kill-switch none')
    for (const [journal, output] of [
      ['', []],
      ['dns none\n', ['repaired cw1t']],
    ] as const) {
      await writeFile(path.join(recordsOf(helper), 'cw1t'), journal, { mode: 0o600 })
      expect(await release(helper)).toBe([...output, 'kill-switch none'].join('\n'))
      expect(await readdir(recordsOf(helper))).toEqual([])
    }
  })

  it('runs in a helper that no terminal can stop', async () => {
    const helper = await install()
    const tunnel = start(helper)
    await tunnel.started()
    const status = await readFile(`/proc/${String(tunnel.subprocess.pid)}/status`, 'utf8')
    const ignored = BigInt(`0x${/^SigIgn:\t(\w+)$/m.exec(status)?.[1] ?? '0'}`)
    const [tstp, ttin, ttou] = [20n, 21n, 22n]
    expect([tstp, ttin, ttou].map((signal) => (ignored >> (signal - 1n)) & 1n)).toEqual([1n, 1n, 1n])
  })
})
