import { once } from 'node:events'
import {
  chmod,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { execa } from 'execa'
import { inject } from 'vitest'
import { z } from 'zod'
import type { TestNamespace } from '../platform/network/namespace.testing'
import { asksResolved, copyEtc, ownEtc } from '../privilege/helper.testing'

const root = join(import.meta.dirname, '..', '..')

export interface Process {
  readonly pid: number
  readonly parent: number
  /** The command line, with a space after each word. */
  readonly words: string
}

/** A computer on which Causeway is killed, with its own network, with or without the helper. */
export class KilledComputer {
  readonly #network: TestNamespace
  readonly #folder: string
  readonly #inode: string

  private constructor(network: TestNamespace, folder: string, inode: string) {
    this.#network = network
    this.#folder = folder
    this.#inode = inode
  }

  /** Sets up the computer. A program that records its calls replaces systemd's resolvectl. */
  static async make(network: TestNamespace): Promise<KilledComputer> {
    const folder = await mkdtemp(join(tmpdir(), 'causeway-killed-'))
    await chmod(folder, 0o755)
    await mkdir(join(folder, 'bin'))
    await mkdir(join(folder, 'state'), { mode: 0o700 })
    await mkdir(join(folder, 'libexec', 'causeway'), { recursive: true })
    await copyFile(
      join(root, 'out', 'helper', 'causeway-helper'),
      join(folder, 'libexec', 'causeway', 'causeway-helper'),
    )
    await copyEtc(folder)
    const calls = join(folder, 'resolvectl.log')
    await writeFile(calls, '')
    await writeFile(join(folder, 'bin', 'resolvectl'), `#!/bin/sh\nprintf '%s\\n' "$*" >>${calls}\n`)
    for (const [name, mount] of [
      ['with-helper', `mount --bind ${folder}/libexec /usr/libexec`],
      ['without-helper', 'mount -t tmpfs none /usr/libexec'],
    ] as const) {
      await writeFile(
        join(folder, name),
        `#!/bin/sh\nset -e\nmount -t overlay overlay -o lowerdir=${folder}/bin:/usr/bin /usr/bin\n${mount}\n${ownEtc(folder)}${asksResolved(folder)}mkdir -p /run/causeway\nmount --bind ${folder}/state /run/causeway\nexec "$@"\n`,
      )
      await chmod(join(folder, name), 0o755)
    }
    await chmod(join(folder, 'bin', 'resolvectl'), 0o755)
    const { ino } = await stat(`/run/netns/${network.name}`)
    return new KilledComputer(network, folder, `net:[${ino}]`)
  }

  /** Returns the words that start a program on the computer. */
  through(rights: 'direct' | 'helper'): readonly string[] {
    const name = rights === 'helper' ? 'with-helper' : 'without-helper'
    return [...this.#network.through, 'unshare', '-m', join(this.#folder, name)]
  }

  /** Returns the processes on its network. */
  async processes(): Promise<Process[]> {
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
    const found = await Promise.all(
      pids.map(async (pid) => {
        try {
          if ((await readlink(`/proc/${pid}/ns/net`)) !== this.#inode) return []
          const words = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ')
          const status = await readFile(`/proc/${pid}/status`, 'utf8')
          const parent = Number(/^PPid:\t(\d+)$/m.exec(status)?.[1])
          return [{ pid: Number(pid), parent, words }]
        } catch {
          // The process has ended.
          return []
        }
      }),
    )
    return found.flat()
  }

  /** Returns devices and routes as text. */
  async network(): Promise<string> {
    const texts = await Promise.all([
      this.#network.ip('-brief', 'link'),
      this.#network.ip('-4', 'route'),
      this.#network.ip('-6', 'route'),
    ])
    return texts.join('\n')
  }

  /** Returns the devices with DNS servers. */
  async nameServers(): Promise<string[]> {
    const calls = (await readFile(join(this.#folder, 'resolvectl.log'), 'utf8')).split('\n')
    const set = calls.flatMap((call) => /^dns (\S+) /.exec(call)?.[1] ?? [])
    return set.filter(
      (device) => calls.lastIndexOf(`revert ${device}`) < calls.lastIndexOf(`default-route ${device} true`),
    )
  }

  async hasKillSwitch(): Promise<boolean> {
    return (await this.#nft('list')) !== undefined
  }

  async dropKillSwitch(): Promise<void> {
    await this.#nft('delete')
  }

  async #nft(verb: string): Promise<string | undefined> {
    const [program, ...words] = this.#network.through
    const table = ['nft', verb, 'table', 'inet', 'causeway_0']
    const { failed, stdout } = await execa(program, [...words, ...table], { reject: false })
    return failed ? undefined : stdout
  }

  async remove(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true })
  }
}

const listening = z.object({ instance: z.string(), control: z.string() })
const tunnel = z.object({
  mode: z.literal('full'),
  servers: z.array(z.object({ host: z.string(), serves: z.string() })),
})

/** Starts a mock server on a network, with VPN servers for all traffic and the default route through one. */
export async function startMock(network: TestNamespace) {
  const [program, ...words] = network.through
  const options = ['--port', '0', '--tunnel', 'openvpn', '--push-default-route', '--auto-approve', '--json']
  const running = execa(program, [...words, process.execPath, inject('programs').mockServer, ...options], {
    reject: false,
  })
  const [line] = (await once(createInterface({ input: running.stdout }), 'line')) as [string]
  const { instance, control } = listening.parse(JSON.parse(line))
  // Control calls must come from the mock server's network.
  const script = `
    for await (const line of require('node:readline').createInterface({ input: process.stdin })) {
      const [path, body] = JSON.parse(line)
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch('${control}' + path, body ? { method: 'POST', headers, body: JSON.stringify(body) } : {})
      console.log(await answer.text())
    }`
  const caller = execa(program, [...words, process.execPath, '-e', `(async () => {${script}})()`], {
    reject: false,
  })
  const answers = createInterface({ input: caller.stdout })
  const ask = async (path: string, body?: object): Promise<unknown> => {
    const answered = once(answers, 'line')
    caller.stdin.write(`${JSON.stringify([path, body])}\n`)
    return JSON.parse(String((await answered)[0]))
  }
  const { servers } = tunnel.parse(await ask('/tunnel'))
  const server = servers.find(({ serves }) => serves === 'default-gateway')
  await network.ip('route', 'replace', 'default', 'via', server?.host ?? '')
  return {
    instance,
    pids: [running.pid, caller.pid],
    act: (action: 'freeze' | 'thaw') => ask('/tunnel', { action }),
    /** Leaves the next request for a configuration without an answer. */
    holdConfiguration: () =>
      ask('/faults', { times: 1, match: { path: '/api/vpn/profile_config' }, fault: { delayMs: 60_000 } }),
    stop: async () => {
      caller.stdin.end()
      await caller
      running.kill('SIGTERM')
      await running
    },
  }
}
