import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { execa } from 'execa'

import { createTestAuthority, type IssuedKeyPair, type TestAuthority } from './certificates.testing'
import { runTunnelServer } from './loopback-server.testing'

/**
 * Two network namespaces, of a client (192.168.77.2) and of a server (192.168.77.1) with an OpenVPN that accepts every client
 * of its authority. Needs root.
 */
export class TwoComputers {
  readonly authority: TestAuthority
  readonly keyPair: IssuedKeyPair
  readonly #client: string
  readonly #server: string
  readonly #folder: string

  private constructor(authority: TestAuthority, name: string, folder: string) {
    this.authority = authority
    this.keyPair = authority.issue({ commonName: 'client', usage: 'clientAuth' })
    this.#client = `${name}-c-${process.pid}`
    this.#server = `${name}-s-${process.pid}`
    this.#folder = folder
  }

  /** @param name distinguishes them from those of other test files */
  static async make(name: string): Promise<TwoComputers> {
    const folder = await mkdtemp(path.join(tmpdir(), 'causeway-'))
    const computers = new TwoComputers(createTestAuthority(), name, folder)
    await computers.#connect()
    return computers
  }

  /** The command prefix that runs a program on the client. */
  get onClient(): readonly [string, ...string[]] {
    return ['ip', 'netns', 'exec', this.#client]
  }

  /** Starts the server, with these lines beside its own. */
  startServer(lines: readonly string[], keyPair?: IssuedKeyPair): Promise<() => Promise<void>> {
    return runTunnelServer(['ip', 'netns', 'exec', this.#server], this.authority, {
      address: '192.168.77.1',
      keyPair,
      lines,
    })
  }

  /**
   * Returns the path of an OpenVPN on the client.
   *
   * @param before a command prefix, or several commands that end with one
   */
  async openVpn(before = ''): Promise<string> {
    const binary = path.join(await mkdtemp(path.join(this.#folder, 'binary-')), 'openvpn')
    await writeFile(binary, `#!/bin/sh\nexec ${this.onClient.join(' ')} ${before} openvpn "$@"\n`)
    await chmod(binary, 0o755)
    return binary
  }

  /** True if packets get through the tunnel and back. */
  async pings(): Promise<boolean> {
    const [program, ...words] = this.onClient
    const ping = ['ping', '-c', '2', '-i', '0.2', '-W', '1', '10.88.0.1']
    const { exitCode } = await execa(program, [...words, ...ping], { reject: false })
    return exitCode === 0
  }

  async remove(): Promise<void> {
    for (const space of [this.#client, this.#server]) await ip('netns', 'delete', space)
    await rm(this.#folder, { recursive: true })
  }

  async #connect(): Promise<void> {
    for (const space of [this.#client, this.#server]) await ip('netns', 'add', space)
    const there = ['peer', 'name', 'eth0', 'netns', this.#server]
    await ip('-n', this.#client, 'link', 'add', 'eth0', 'type', 'veth', ...there)
    for (const [space, address] of [
      [this.#client, '192.168.77.2/24'],
      [this.#server, '192.168.77.1/24'],
    ] as const) {
      await ip('-n', space, 'address', 'add', address, 'dev', 'eth0')
      await ip('-n', space, 'link', 'set', 'eth0', 'up')
    }
  }
}

async function ip(...words: string[]): Promise<void> {
  await execa('ip', words, { env: { PATH: `${process.env.PATH ?? ''}:/usr/sbin` } })
}
