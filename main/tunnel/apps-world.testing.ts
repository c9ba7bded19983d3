import { EventEmitter, once } from 'node:events'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, readFile, rmdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { execa } from 'execa'
import { expect, vi } from 'vitest'
import { builtUserspaceWireGuard } from '../../scripts/build-helper'
import { createTestAuthority } from './openvpn/certificates.testing'
import { buildConfiguration, type OpenVpnConfiguration } from './openvpn/configuration'
import { runTunnelServer } from './openvpn/loopback-server.testing'
import { portalProfile } from './openvpn/profile.testing'
import { connectComputers, grantFor, groupsTop, inSpace, server } from './apps-computers.testing'
import { createKey } from './wireguard/key.testing'
import { ip, sbin } from './joined-spaces.testing'
import type { WireGuardTunnel } from './tunnel'
import { appProgram, appsUser, everywhere, firstPort, own, ports } from './apps-programs.testing'
import { type TestHelper, installTestHelper } from '../privilege/helper.testing'

export type Protocol = 'wireguard' | 'run'

/** A program in a control group. */
export interface App {
  /** The port to which it alone sends. */
  readonly port: number
  /** Connects, and returns the address that the other end sees, or why it failed; `name` keeps the connection. */
  readonly tcp: (host: string, name?: string, port?: number) => Promise<string>
  /** Sends on a kept connection. */
  readonly again: (name: string) => Promise<string>
  readonly udp: (host: string, name?: string, port?: number) => Promise<string>
  readonly listen: (port: number) => Promise<string>
  readonly pid: number
  readonly end: () => Promise<void>
  /** Waits for the end of a program that somebody else ends. */
  readonly ended: () => Promise<unknown>
}

/** A running helper. */
export interface AppsTunnel {
  readonly child: Promise<{ readonly exitCode?: number | undefined }>
  readonly messages: readonly string[]
  readonly lineMatching: (pattern: RegExp) => Promise<string>
  /** Sends a command, and returns its answer. */
  readonly ask: (line: string) => Promise<string>
  readonly send: (line: string) => void
  readonly connected: () => Promise<string>
  readonly stop: () => Promise<number | undefined>
}

interface TunnelOptions {
  readonly killSwitch?: boolean
  /** The lines `apps` and `app`. */
  readonly apps?: readonly string[]
  readonly allowed?: readonly string[]
  /** What the server of OpenVPN pushes. */
  readonly pushed?: readonly string[]
  readonly helper?: TestHelper
}

/** A computer with apps of one user, its network, and servers of both protocols there. */
export class AppsWorld {
  readonly client = `causeway-ac-${process.pid}`
  readonly far = `causeway-as-${process.pid}`
  readonly #keys = [createKey(), createKey()] as const
  readonly #authority = createTestAuthority()
  readonly #groups: string[] = []
  readonly #running: (() => Promise<unknown>)[] = []
  #top = ''
  #started = 0

  static async make(): Promise<AppsWorld> {
    const world = new AppsWorld()
    world.#top = (await groupsTop()) ?? ''
    world.#end = await connectComputers(world.client, world.far, world.#keys)
    return world
  }

  async inClient(...words: string[]): Promise<string> {
    return inSpace(this.client, ...words)
  }

  async install(build: 'linux' | 'killpoints', user = appsUser): Promise<TestHelper> {
    // `ip netns exec` hides them.
    const groups =
      'mount -t cgroup2 none /sys/fs/cgroup\nmount -t tmpfs devices /dev/net\nmknod -m 666 /dev/net/tun c 10 200\n'
    const person = `id ${user} >/dev/null 2>&1 || echo 'causeway-second:x:${user}:${user}::/:/bin/sh' >>/etc/passwd\n`
    const prepare = `${groups}${person}export SUDO_UID=${user}\nmount -t tmpfs -o mode=755 libexec /mnt\ncp $folder/libexec/* /mnt\nexec /mnt/causeway-helper "$@"\n`
    const helper = await installTestHelper(prepare, `ip netns exec ${this.client}`, build)
    await copyFile(builtUserspaceWireGuard, path.join(helper.folder, 'libexec/causeway-wireguard'))
    return helper
  }

  /** Lifts the kill switch, and returns what the helper says. */
  async release(helper: TestHelper): Promise<string> {
    return (await execa(helper.helper, ['release'], { ...sbin, reject: false })).stderr
  }

  /** Makes a control group of a user, and returns its path below the root of the hierarchy. */
  async group(name: string, user = appsUser): Promise<string> {
    const group = `/user.slice/user-${user}.slice/causeway-${process.pid}.slice/${name}`
    await mkdir(this.#top + group, { recursive: true })
    this.#groups.push(group)
    return group
  }

  /** Moves an app, whose sockets stay what they are. */
  moveTo(app: App, group: string): Promise<void> {
    return writeFile(`${this.#top}${group}/cgroup.procs`, String(app.pid))
  }

  /** Returns the group of version 2 in which a process is. */
  async groupOf(pid: number): Promise<string> {
    return /^0::(.*)$/m.exec(await readFile(`/proc/${pid}/cgroup`, 'utf8'))?.[1] ?? ''
  }

  /** Expects that a process has ended, and that its parent hasn't been told. */
  async expectZombie(pid: number): Promise<void> {
    expect(await readFile(`/proc/${pid}/status`, 'utf8')).toMatch(/^State:\tZ/m)
  }

  /** Makes a control group that is none of systemd's. */
  async plainGroup(name: string): Promise<string> {
    const group = `/causeway-test-${process.pid}/${name}`
    await mkdir(this.#top + group, { recursive: true })
    this.#groups.push(`/causeway-test-${process.pid}`, group)
    return group
  }

  /** True if a control group exists. */
  hasGroup(group: string): boolean {
    return existsSync(this.#top + group)
  }

  /** Stops a group, with all processes in it. */
  freeze(group: string, isFrozen: boolean): Promise<void> {
    return writeFile(`${this.#top}${group}/cgroup.freeze`, isFrozen ? '1' : '0')
  }

  /** Has a helper for tests hold still at a step. */
  stopAt(helper: TestHelper, step: string): Promise<void> {
    return writeFile(path.join(helper.folder, 'state/stop-at'), step)
  }

  /** Runs a command of a helper that needs no input. */
  async command(helper: TestHelper, ...words: string[]): Promise<string> {
    return (await execa(helper.helper, words, { ...sbin, reject: false })).stderr
  }

  /** True if a server of the network gets through to a port, from one of its addresses. */
  async reaches(host: string, port: number, from: string): Promise<boolean> {
    const program = `const s = require('net').connect({ host: '${host}', port: ${port}, localAddress: '${from}' })
      setTimeout(() => process.exit(1), 1500)
      s.on('data', () => process.exit(0)).on('error', () => process.exit(1))`
    const words = ['netns', 'exec', this.far, process.execPath, '-e', program]
    return !(await execa('ip', words, { ...sbin, reject: false })).failed
  }

  /** Has a helper for tests killed at a step. */
  killAt(helper: TestHelper, step: string): Promise<void> {
    return writeFile(path.join(helper.folder, 'state/kill-at'), step)
  }

  hasKillMark(helper: TestHelper): Promise<boolean> {
    return Promise.resolve(existsSync(path.join(helper.folder, 'state/kill-at')))
  }

  /** Deletes a group, whose programs have ended. */
  async deleteGroup(group: string): Promise<void> {
    await vi.waitFor(() => rmdir(this.#top + group))
  }

  /** Starts a program of a user in a control group. */
  async start(group: string, user = appsUser): Promise<App> {
    const join = `echo $$ >${this.#top}${group}/cgroup.procs && exec "$@"`
    const as = ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups', '--']
    const words = [
      '-c',
      join,
      'sh',
      'ip',
      'netns',
      'exec',
      this.client,
      ...as,
      process.execPath,
      '-e',
      appProgram,
    ]
    const child = execa('/bin/sh', words, { ...sbin, reject: false })
    const lines = createInterface({ input: child.stdout })
    const answers = new Map<number, (answer: string) => void>()
    await once(lines, 'line')
    lines.on('line', (line) => {
      const [id, answer] = JSON.parse(line) as [number, string]
      answers.get(id)?.(answer)
    })
    const port = firstPort + (this.#started % ports)
    this.#started += 1
    let count = 0
    const ended = child.then(({ stderr }) =>
      Promise.reject<string>(new Error(`The app has ended: ${stderr}`)),
    )
    ended.catch(() => undefined)
    const ask = (...words: readonly (string | number)[]) => {
      const answered = new Promise<string>((resolve) => {
        count += 1
        answers.set(count, resolve)
        child.stdin.write(`${JSON.stringify([count, ...words])}\n`)
      })
      return Promise.race([answered, ended])
    }
    const end = async () => {
      child.stdin.end()
      await child
    }
    this.#running.push(end)
    return {
      port,
      tcp: (host, name = host, to = port) => ask('tcp', host, to, `tcp ${name}`),
      again: (name) => ask('again', `tcp ${name}`),
      udp: (host, name = host, to = port) => ask('udp', host, to, name),
      listen: (on) => ask('listen', on),
      pid: child.pid ?? 0,
      end,
      ended: () => child,
    }
  }

  /** Starts the helper, and for OpenVPN its server. */
  async tunnel(protocol: Protocol, helper: TestHelper, options: TunnelOptions = {}): Promise<AppsTunnel> {
    const { killSwitch = false, apps = [] } = options
    const begin = [`kill-switch ${killSwitch ? 'on' : 'off'}`, 'dns on', ...apps]
    const request = protocol === 'run' ? (await this.openVpn(options)).text : this.#wireGuard(options)
    return this.#run(protocol, helper, `${begin.join('\n')}\n${request}#END\n`)
  }

  /** Starts the helper that changes the list of a kill switch without a tunnel. */
  async list(helper: TestHelper): Promise<AppsTunnel> {
    const list = this.#run('apps', helper, '')
    await list.lineMatching(/^started apps$/)
    return list
  }

  #run(command: Protocol | 'apps', helper: TestHelper, request: string): AppsTunnel {
    const child = execa(helper.helper, [command], { ...sbin, reject: false })
    const messages: string[] = []
    const news = new EventEmitter()
    for (const stream of [child.stdout, child.stderr])
      createInterface({ input: stream }).on('line', (line) => {
        messages.push(line.replace('causeway-helper: ', ''))
        news.emit('news')
      })
    child.stdin.on('error', () => undefined)
    child.stdin.write(request)
    let hasEnded = false
    void child.then(() => {
      hasEnded = true
      news.emit('news')
    })
    const lineMatching = async (pattern: RegExp, from = 0): Promise<string> => {
      const signal = AbortSignal.timeout(20_000)
      for (;;) {
        const found = messages.slice(from).find((each) => pattern.test(each))
        if (found !== undefined) return found
        const failed = new Error(`No ${String(pattern)}: ${messages.slice(-12).join('; ')}`)
        if (hasEnded) throw failed
        await once(news, 'news', { signal }).catch(() => Promise.reject(failed))
      }
    }
    const send = (line: string) => void child.stdin.write(`${line}\n`)
    // Answers don't say what they belong to.
    let before: Promise<unknown> = Promise.resolve()
    const stop = async () => {
      child.stdin.end()
      return (await child).exitCode
    }
    this.#running.push(stop)
    return {
      child,
      messages,
      lineMatching,
      send,
      stop,
      ask: (line) => {
        const answer = before.then(async () => {
          const from = messages.length
          send(line)
          return (await lineMatching(/^app /, from)).replace(/^app /, '')
        })
        before = answer.catch(() => undefined)
        return answer
      },
      connected: async () => {
        await lineMatching(command === 'run' ? /Initialization Sequence Completed/ : /^handshake \d+ /)
        return /^started (\S+)/.exec(await lineMatching(/^started /))?.[1] ?? ''
      },
    }
  }

  /** Returns what a portal would grant for the server of WireGuard. */
  get wireGuard(): WireGuardTunnel {
    return grantFor(...this.#keys)
  }

  #wireGuard({ allowed = ['0.0.0.0/0', '::/0'] }: TunnelOptions): string {
    const [serverKey, clientKey] = this.#keys
    return [
      `private-key ${clientKey.secret.toString('base64')}`,
      `peer ${serverKey.shared.toString('base64')}`,
      'address 10.88.0.2/24',
      'address fd88::2/64',
      `endpoint ${server} 51820`,
      ...allowed.map((prefix) => `allowed ${prefix}`),
      '',
    ].join('\n')
  }

  /** Starts a server of OpenVPN, and returns the configuration for it. */
  async openVpn({
    pushed = ['redirect-gateway def1 ipv6'],
  }: TunnelOptions = {}): Promise<OpenVpnConfiguration> {
    const stop = await runTunnelServer(['ip', 'netns', 'exec', this.far], this.#authority, {
      address: server,
      network: '10.89.0',
      lines: [
        'ifconfig-ipv6 fd89::1/64 fd89::2',
        'ifconfig-ipv6-pool fd89::1000/64',
        ...pushed.map((option) => `push "${option}"`),
      ],
    })
    this.#running.push(stop)
    const profile = portalProfile({ ca: this.#authority.certificate, remotes: [`${server} 1194 udp`] })
    const keyPair = this.#authority.issue({ commonName: 'client', usage: 'clientAuth' })
    return buildConfiguration(profile, keyPair, { platform: 'linux', mode: 'full' })
  }

  /** Forgets what has arrived at the servers. */
  async forgetArrivals(): Promise<void> {
    for (const set of ['seen4', 'seen6']) await this.#far('nft', 'flush', 'set', 'inet', 'world', set)
  }

  /** Returns what has arrived for a port, in the clear (`outside`) and through the tunnel, by protocol and sender. */
  async arrivals(port: number): Promise<{ outside: string[]; inside: string[] }> {
    const found = { outside: new Set<string>(), inside: new Set<string>() }
    for (const set of ['seen4', 'seen6']) {
      const text = await this.#far('nft', 'list', 'set', 'inet', 'world', set)
      for (const [, device, from, kind, to] of text.matchAll(/"(\w+)" \. (\S+) \. (\w+) \. (\d+)/g))
        if (Number(to) === port)
          found[device === 'net0' ? 'outside' : 'inside'].add(`${String(kind)} ${String(from)}`)
    }
    return { outside: [...found.outside].sort(), inside: [...found.inside].sort() }
  }

  /** Sends in both families and both protocols, and expects that all of it takes this side and none the other one. */
  async expectSide(app: App, side: 'outside' | Protocol): Promise<void> {
    await this.forgetArrivals()
    for (const [index, host] of everywhere.entries()) {
      const answers = { tcp: await app.tcp(host), udp: await app.udp(host) }
      for (const from of Object.values(answers))
        expect(from, `${host}: ${JSON.stringify(answers)}`).toContain(own[side][index])
    }
    const arrived = await this.arrivals(app.port)
    expect(arrived[side === 'outside' ? 'inside' : 'outside']).toEqual([])
    expect(arrived[side === 'outside' ? 'outside' : 'inside']).toHaveLength(4)
  }

  /** Returns everything that a tunnel may leave behind. */
  async snapshot(): Promise<Record<string, string>> {
    const lines = (words: string) => this.inClient(...words.split(' '))
    return {
      devices: await lines('ip -o link'),
      rules: `${await lines('ip rule')}\n${await lines('ip -6 rule')}`,
      routes: `${await lines('ip route show table all')}\n${await lines('ip -6 route show table all')}`,
      firewall: await lines('nft list tables'),
      setting: await lines('cat /proc/sys/net/ipv4/conf/all/src_valid_mark'),
    }
  }

  /** Ends everything that runs. */
  async stop(): Promise<void> {
    for (const stop of this.#running.splice(0).reverse()) await stop()
    await this.inClient('nft', 'flush', 'ruleset')
    for (const group of this.#groups.splice(0).reverse())
      await rmdir(this.#top + group).catch(() => undefined)
  }

  async remove(): Promise<void> {
    await this.stop()
    await this.#end()
    for (const user of [appsUser, appsUser - 1])
      for (const folder of [`/user-${user}.slice/causeway-${process.pid}.slice`, `/user-${user}.slice`, ''])
        await rmdir(`${this.#top}/user.slice${folder}`).catch(() => undefined)
    for (const space of [this.client, this.far]) await ip(`netns delete ${space}`)
  }

  #end: () => Promise<void> = () => Promise.resolve()

  #far(...words: string[]): Promise<string> {
    return inSpace(this.far, ...words)
  }
}
