import { copyFile, readFile } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { execa } from 'execa'
import { vi } from 'vitest'
import { builtUserspaceWireGuard } from '../../scripts/build-helper'
import { installTestHelper, type TestHelper } from './helper.testing'

const sbin = { PATH: `${process.env.PATH ?? ''}:/usr/sbin` }

/** A network of its own, with a default route to a gateway that never answers. */
export class PrivateNetwork {
  readonly #name = `causeway-alone-${process.pid}`

  async create(): Promise<void> {
    await execa('ip', ['netns', 'add', this.#name], { env: sbin })
    for (const words of [
      'link set lo up',
      'link add wan type veth peer name far',
      'address add 10.77.1.2/24 dev wan',
      // No addresses of their own, which would come up at any time.
      'link set wan addrgenmode none up',
      'link set far addrgenmode none up',
      'route add default via 10.77.1.1',
    ])
      await this.ip(...words.split(' '))
  }

  async remove(): Promise<void> {
    await execa('ip', ['netns', 'delete', this.#name], { env: sbin })
  }

  async ip(...words: string[]): Promise<string> {
    return (await execa('ip', ['-n', this.#name, ...words], { env: sbin })).stdout
  }

  /** Returns the rules and routes of everybody. */
  async routing(): Promise<string> {
    const lines = ['rule', '-6 rule', 'route show table all', '-6 route show table all'].map((words) =>
      this.ip(...words.split(' ')),
    )
    return (await Promise.all(lines)).join('\n')
  }

  /**
   * Installs a helper of this network with its program for WireGuard.
   *
   * @param then shell commands that start it, from /mnt
   */
  async install(
    then = 'exec /mnt/causeway-helper "$@"\n',
    build: 'linux' | 'killpoints' = 'linux',
  ): Promise<TestHelper> {
    const copied = 'mount -t tmpfs -o mode=755 libexec /mnt\ncp $folder/libexec/* /mnt\n'
    const helper = await installTestHelper(copied + then, `ip netns exec ${this.#name}`, build)
    await copyFile(builtUserspaceWireGuard, path.join(helper.folder, 'libexec/causeway-wireguard'))
    return helper
  }
}

/** A request for a full tunnel to a server that never answers. */
const fullTunnel = [
  'kill-switch off',
  'dns on',
  `private-key ${Buffer.alloc(32, 1).toString('base64')}`,
  `peer ${Buffer.alloc(32, 2).toString('base64')}`,
  'address 10.88.0.2/24',
  'endpoint 203.0.113.10 51820',
  'allowed 0.0.0.0/0',
  'allowed ::/0',
  '#END\n',
].join('\n')

/** A helper that runs, and its messages. */
export class RunningHelper {
  readonly messages: string[] = []
  readonly request = fullTunnel
  readonly child
  readonly #folder: string

  /** @param env for the shell commands that start it */
  constructor(
    helper: TestHelper,
    env: Readonly<Record<string, string>>,
    command: 'run' | 'wireguard' = 'wireguard',
  ) {
    this.#folder = helper.folder
    this.child = execa(helper.helper, [command], { env: { ...sbin, ...env }, reject: false })
    createInterface({ input: this.child.stderr }).on('line', (line) => {
      this.messages.push(line.replace('causeway-helper: ', ''))
    })
    this.child.stdin.on('error', () => undefined)
  }

  send(text: string = this.request): this {
    this.child.stdin.write(text)
    return this
  }

  async stop(): Promise<number | undefined> {
    this.child.stdin.end()
    return (await this.child).exitCode
  }

  async message(pattern: RegExp): Promise<string> {
    const find = () => this.messages.find((each) => pattern.test(each))
    return vi.waitFor(
      () => find() ?? Promise.reject(new Error(`No ${String(pattern)}: ${this.messages.join('; ')}`)),
      { timeout: 30_000, interval: 10 },
    )
  }

  /** Returns the process ids of the helper and its watcher, and of the program that it runs, if it is not the kernel's. */
  async processes(user: number): Promise<{ helper: number; watcher: number; program: number | undefined }> {
    const [, device = ''] = (await this.message(/^started /)).split(' ')
    const journal = await readFile(path.join(this.#folder, 'state', String(user), device), 'utf8')
    const [, program] = /^program (\d+)/m.exec(journal) ?? []
    const { stdout: watcher } = await execa('pgrep', ['-f', `^causeway-helper watch ${device}$`])
    return {
      helper: Number(device.replace(/\D/g, '')),
      watcher: Number(watcher),
      program: program === undefined ? undefined : Number(program),
    }
  }
}
