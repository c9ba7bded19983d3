import { once } from 'node:events'
import { copyFile, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { execa } from 'execa'
import { expect, vi } from 'vitest'
import { builtUserspaceWireGuard } from '../../../scripts/build-helper'
import { type TestHelper, installTestHelper } from '../../privilege/helper.testing'
import { macosPrograms } from './macos-programs.testing'
import { serverProgram } from './server-program.testing'
import { createKey } from './key.testing'

const sbin = { env: { PATH: `${process.env.PATH ?? ''}:/usr/sbin` } }

/** The user who calls the helper. */
export const user = 65_534
/** Returns the user of a tunnel's program for WireGuard, by the device of the tunnel. */
export function programUser(device: string): number {
  return 2_147_400_000 + Number(device.replace('utun', ''))
}

export const server = '203.0.113.10'
export const server6 = '2001:db8:10::10'
export const movedServer = '203.0.113.11'
/** Answer through the tunnel only. */
export const inside = ['10.99.0.1', 'fd99::1'] as const
/** Answer in the clear, too. */
export const outside = ['198.51.100.7', '2001:db8:7::7'] as const

/** Runs the helper as the user's, from a folder that only root can write, with the programs of macOS in place of the system's. */
const asInstalled = `
mkdir -p $folder/programs
if [ ! -f $folder/programs/route ]; then
  sed "s#FOLDER#$folder#" $folder/macos >$folder/programs/route.new
  chmod 755 $folder/programs/route.new
  for name in netstat ifconfig scutil dscacheutil pfctl; do cp $folder/programs/route.new $folder/programs/$name; done
  mv $folder/programs/route.new $folder/programs/route
fi
mount -t overlay overlay -o lowerdir=$folder/programs:/usr/sbin /usr/sbin
export SUDO_UID=\${AS-${user}}
mount -t tmpfs -o mode=755 libexec /mnt
cp $folder/libexec/* /mnt
exec /mnt/causeway-helper "$@"
`

/** A request of the helper, beside keys and addresses of the tunnel. */
export interface Request {
  readonly killSwitch?: boolean
  readonly allowed?: readonly string[]
  readonly addresses?: readonly string[]
  readonly endpoint?: string
  readonly more?: readonly string[]
  readonly helper?: TestHelper
}

/** A running helper. */
export interface Running {
  readonly messages: readonly string[]
  readonly said: (pattern: RegExp) => Promise<string>
  readonly send: (line: string) => void
  readonly connected: () => Promise<string>
  readonly stop: () => Promise<number | undefined>
  readonly ended: Promise<number | undefined>
}

/**
 * A computer on which the helper of macOS runs, with two ways to a WireGuard server, `en0` and `en1`. Both are network namespaces of
 * Linux, so that packets show what the routes do.
 */
export class MacosNetwork {
  readonly clientSpace = `causeway-mc-${process.pid}`
  readonly serverSpace = `causeway-ms-${process.pid}`
  readonly #keys = { server: createKey(), client: createKey() }
  readonly #running: (() => Promise<unknown>)[] = []
  #stopServer: () => Promise<unknown> = () => Promise.resolve()
  installed!: TestHelper
  killable!: TestHelper

  static async create(): Promise<MacosNetwork> {
    const network = new MacosNetwork()
    await network.#connect()
    await network.#startServer()
    network.installed = await network.install('macos')
    network.killable = await network.install('macosKillpoints')
    return network
  }

  /** Runs `ip` for the client. */
  async ip(words: string, space = this.clientSpace): Promise<string> {
    return (await execa('ip', ['-n', space, ...words.split(' ')], sbin)).stdout
  }

  async inClient(...words: string[]) {
    return execa('ip', ['netns', 'exec', this.clientSpace, ...words], {
      ...sbin,
      reject: false,
      timeout: 60_000,
    })
  }

  async pings(address: string): Promise<boolean> {
    return !(await this.inClient('ping', '-n', '-c', '1', '-W', '1', address)).failed
  }

  /** Returns the device that leads to an address. */
  async deviceTo(address: string): Promise<string | undefined> {
    return / dev (\S+)/.exec((await this.inClient('ip', 'route', 'get', address)).stdout)?.[1]
  }

  /** Sends a packet as a user, and returns whether the kernel took it. */
  async sends(address: string, port: number, as = user): Promise<boolean> {
    const script = `echo x >/dev/udp/${address}/${String(port)}`
    const words = ['setpriv', `--reuid=${String(as)}`, '--clear-groups', 'bash', '-c', script]
    return !(await this.inClient('timeout', '2', ...words)).failed
  }

  /** Connects as the user from a port of its own. */
  async connects(to: string, port: number, from: number): Promise<'refused' | 'nothing'> {
    const dial = `my $peer = IO::Socket::INET->new(PeerAddr => '${to}', PeerPort => ${String(port)},
      LocalPort => ${String(from)}, Timeout => 1); exit($!{ECONNREFUSED} ? 1 : 0)`
    const words = [
      'setpriv',
      `--reuid=${String(user)}`,
      '--clear-groups',
      'perl',
      '-MErrno',
      '-MIO::Socket::INET',
    ]
    const { exitCode } = await this.inClient(...words, '-e', dial)
    return exitCode === 1 ? 'refused' : 'nothing'
  }

  /** Sends to the outside as the user, as fast as a shell can; the returned function ends that. */
  sendOutside(): () => Promise<void> {
    const loop = `while :; do ${outside.map((to) => `echo x >/dev/udp/${to}/9`).join('; ')}; done`
    const words = ['netns', 'exec', this.clientSpace, 'setpriv', `--reuid=${String(user)}`, '--clear-groups']
    const sender = execa('ip', [...words, 'bash', '-c', loop], { ...sbin, reject: false, stderr: 'ignore' })
    return async () => {
      sender.kill()
      await sender
    }
  }

  /** Returns the processes of the tunnel that runs. */
  async processes(helper = this.installed): Promise<{ helper: number; watcher: number; program: number }> {
    const folder = path.join(helper.folder, 'state', String(user))
    const device = (await readdir(folder)).find((name) => /^cw\d+t$/.test(name)) ?? 'none'
    const { stdout } = await execa('pgrep', ['-f', `^causeway-helper watch ${device}$`])
    const program = /^program (\d+) /m.exec(await readFile(path.join(folder, device), 'utf8'))?.[1]
    return { helper: Number(device.slice(2, -1)), watcher: Number(stdout), program: Number(program) }
  }

  async kill(victim: 'helper' | 'watcher' | 'program' | 'both' | 'all'): Promise<void> {
    const { helper, watcher, program } = await this.processes()
    const single = { helper: [helper], watcher: [watcher], program: [program] }
    const several = { both: [helper, program], all: [watcher, helper, program] }
    // The end of the helper ends its program, which may have gone by then.
    await execa('kill', ['-KILL', ...{ ...single, ...several }[victim].map(String)], { reject: false })
  }

  /** Waits until the helper that may be killed has stopped itself. */
  async stopped(): Promise<{ helper: number }> {
    return vi.waitFor(
      async () => {
        const { helper } = await this.processes(this.killable)
        expect(await readFile(`/proc/${String(helper)}/stat`, 'latin1')).toMatch(/\) T /)
        return { helper }
      },
      { timeout: 20_000, interval: 20 },
    )
  }

  /** Returns programs that the app runs as those of macOS, on this computer. */
  async programs(): Promise<{ route: string; netstat: string }> {
    const of = async (name: string): Promise<string> => {
      const file = path.join(this.installed.folder, `${name}-in-space`)
      const program = path.join(this.installed.folder, 'programs', name)
      const script = `#!/bin/sh\nexec ip netns exec ${this.clientSpace} ${program} "$@"\n`
      await writeFile(file, script, { mode: 0o755 })
      return file
    }
    return { route: await of('route'), netstat: await of('netstat') }
  }

  /** Returns the text of a file of the stand-ins. */
  async text(name: string, helper = this.installed): Promise<string> {
    return readFile(path.join(helper.folder, name), 'utf8').catch(() => '')
  }

  async useDefault(device: 'en0' | 'en1' | undefined): Promise<void> {
    const number = device === 'en1' ? 2 : 1
    for (const [family, gateway] of [
      ['-4', `10.77.${String(number)}.1`],
      ['-6', `fd77:${String(number)}::1`],
    ]) {
      await this.ip(`${String(family)} route flush default`)
      if (device !== undefined)
        await this.ip(`${String(family)} route add default via ${String(gateway)} dev ${device}`)
    }
  }

  async install(build: 'macos' | 'macosKillpoints'): Promise<TestHelper> {
    const helper = await installTestHelper(asInstalled, `ip netns exec ${this.clientSpace}`, build)
    await writeFile(path.join(helper.folder, 'macos'), macosPrograms)
    await copyFile(builtUserspaceWireGuard, path.join(helper.folder, 'libexec/causeway-wireguard'))
    return helper
  }

  /** Returns everything that a tunnel may leave behind. */
  async snapshot(): Promise<Record<string, string>> {
    const records = [this.installed, this.killable].map(async ({ folder }) => {
      const files = await readdir(path.join(folder, 'state'), { recursive: true })
      return files.filter((file) => !/^\d+(\/(kill-switch|pf-token|name\..*))?$/.test(file)).join(' ')
    })
    const names = [this.installed, this.killable].map((helper) => this.text('names', helper))
    return {
      devices: await this.ip('-o link'),
      routes: `${await this.ip('route show table all')}\n${await this.ip('-6 route show table all')}`,
      names: (await Promise.all(names)).join(''),
      records: (await Promise.all(records)).join(''),
      programs: (await execa('ip', ['netns', 'pids', this.clientSpace], sbin)).stdout,
    }
  }

  async expectLike(before: Record<string, string>): Promise<void> {
    await vi.waitFor(
      async () => {
        expect(await this.snapshot()).toEqual(before)
      },
      { timeout: 20_000, interval: 50 },
    )
  }

  /** The lines of a request, without its header. */
  lines({ allowed, addresses, endpoint, more = [] }: Request): string[] {
    const { server: serverKey, client } = this.#keys
    return [
      `private-key ${client.secret.toString('base64')}`,
      `peer ${serverKey.shared.toString('base64')}`,
      ...(addresses ?? ['10.88.0.2/24', 'fd88::2/64']).map((each) => `address ${each}`),
      `endpoint ${endpoint ?? `${server} 51820`}`,
      ...(allowed ?? ['0.0.0.0/0', '::/0']).map((prefix) => `allowed ${prefix}`),
      ...more,
    ]
  }

  /** Starts the helper, and gives access to its messages. */
  start(request: Request = {}): Running {
    const { killSwitch = false, helper = this.installed } = request
    const child = execa(helper.helper, ['wireguard'], { ...sbin, reject: false })
    const messages: string[] = []
    createInterface({ input: child.stderr }).on('line', (line) => {
      messages.push(line.replace('causeway-helper: ', ''))
    })
    child.stdin.on('error', () => undefined)
    const header = [`kill-switch ${killSwitch ? 'on' : 'off'}`, 'dns on']
    child.stdin.write([...header, ...this.lines(request), '#END\n'].join('\n'))
    const ended = child.then(({ exitCode }) => exitCode)
    const stop = (): Promise<number | undefined> => {
      child.stdin.end()
      return ended
    }
    this.#running.push(stop)
    const said = async (pattern: RegExp): Promise<string> => {
      const find = () => messages.find((each) => pattern.test(each))
      return vi.waitFor(
        () => find() ?? Promise.reject(new Error(`No ${String(pattern)}: ${messages.join('; ')}`)),
        { timeout: 20_000, interval: 10 },
      )
    }
    return {
      messages,
      said,
      stop,
      ended,
      send: (line) => child.stdin.write(`${line}\n`),
      connected: async () => {
        await said(/^handshake \d+ /)
        return (await said(/^started /)).split(' ')[1] ?? ''
      },
    }
  }

  /** Ends what runs, and lowers kill switches. */
  async reset(): Promise<void> {
    for (const stop of this.#running.splice(0).reverse()) await stop()
    for (const { helper, folder } of [this.installed, this.killable]) {
      await execa(helper, ['release'], { ...sbin, reject: false })
      await rm(path.join(folder, 'state/kill-at'), { force: true })
    }
    await this.useDefault('en0')
  }

  async remove(): Promise<void> {
    await this.#stopServer()
    for (const space of [this.clientSpace, this.serverSpace])
      await execa('ip', ['netns', 'delete', space], sbin)
    for (const each of [this.installed, this.killable]) await each.remove()
  }

  async #connect(): Promise<void> {
    for (const space of [this.clientSpace, this.serverSpace]) {
      await execa('ip', ['netns', 'add', space], sbin)
      await this.ip('link set lo up', space)
    }
    for (const number of [1, 2]) {
      const [own, its] = [`en${String(number - 1)}`, `net${String(number)}`]
      await this.ip(`link add ${own} type veth peer name ${its} netns ${this.serverSpace}`)
      for (const [space, link, host] of [
        [this.clientSpace, own, 2],
        [this.serverSpace, its, 1],
      ] as const) {
        await this.ip(`address add 10.77.${String(number)}.${String(host)}/24 dev ${link}`, space)
        await this.ip(`address add fd77:${String(number)}::${String(host)}/64 dev ${link} nodad`, space)
        await this.ip(`link set ${link} addrgenmode none up`, space)
      }
    }
    for (const address of [server, server6, movedServer, ...inside, ...outside])
      await this.ip(`address add ${address} dev lo`, this.serverSpace)
    const clear = `add table inet world
      add counter inet world clear
      add chain inet world in { type filter hook input priority 0; }
      add rule inet world in iifname "net*" ip daddr ${inside[0]} drop
      add rule inet world in iifname "net*" ip6 daddr ${inside[1]} drop
      add rule inet world in iifname "net*" udp dport 9 counter name clear\n`
    const words = ['netns', 'exec', this.serverSpace, 'nft', '-f', '-']
    await execa('ip', words, { ...sbin, input: clear })
    await this.useDefault('en0')
  }

  /** Returns the packets to port 9 that came in the clear since the last call. */
  async sentInTheClear(): Promise<number> {
    const words = ['netns', 'exec', this.serverSpace, 'nft', 'reset', 'counter', 'inet', 'world', 'clear']
    return Number(/packets (\d+)/.exec((await execa('ip', words, sbin)).stdout)?.[1])
  }

  async #startServer(): Promise<void> {
    const words = [
      'netns',
      'exec',
      this.serverSpace,
      'perl',
      '-e',
      serverProgram,
      builtUserspaceWireGuard,
      'wgs',
    ]
    const child = execa('ip', words, { ...sbin, reject: false })
    const answers = createInterface({ input: child.stdout })
    child.stdin.write(
      [
        'set=1',
        `private_key=${this.#keys.server.secret.toString('hex')}`,
        'listen_port=51820',
        `public_key=${this.#keys.client.shared.toString('hex')}`,
        'allowed_ip=10.88.0.2/32\nallowed_ip=fd88::2/128\n\n',
      ].join('\n'),
    )
    expect(await once(answers, 'line')).toEqual(['errno=0'])
    for (const each of ['10.88.0.1/24 dev wgs', 'fd88::1/64 dev wgs nodad'])
      await this.ip(`address add ${each}`, this.serverSpace)
    await this.ip('link set wgs up', this.serverSpace)
    this.#stopServer = async () => {
      child.stdin.end()
      await child
    }
  }
}
