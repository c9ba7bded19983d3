import { mkdir, readFile, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'

/** A way to a tunnel that people may use, ready to connect. */
export interface Peer {
  readonly name: string
  readonly protocol: 'wireguard' | 'openvpn'
  /** All of its processes are in it. */
  readonly group: ProcessGroup
  /** Starts what runs before somebody connects, and isn't to run beside other peers; `rest` ends it again. */
  prepare?(): Promise<void>
  rest?(): Promise<void>
  /** Asks for the tunnel, as a person would. Whether it works shows in the answers through it. */
  connect(): Promise<void>
  /** Ends the tunnel; resolves when nothing of it is left. */
  disconnect(): Promise<void>
  /** Resolves once it says that the server no longer answers. Missing if it never says so. */
  noticed?(): Promise<void>
  /** Ends what was prepared. */
  end(): Promise<void>
}

interface StartOptions {
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
  readonly stdin?: 'ignore' | 'pipe'
}

/** A control group, which counts what its processes used, also those that have ended. */
export class ProcessGroup {
  readonly #path: string

  private constructor(path: string) {
    this.#path = path
  }

  static async make(name: string): Promise<ProcessGroup> {
    const mounts = await readFile('/proc/mounts', 'utf8')
    const top = /^\S+ (\S+) cgroup2 /m.exec(mounts)?.[1]
    if (top === undefined) throw new Error('Measuring peers takes control groups of version 2.')
    const path = join(top, `causeway-bench-${String(process.pid)}-${name}`)
    await mkdir(path)
    return new ProcessGroup(path)
  }

  /** Starts a program in the group. */
  start(program: string, words: readonly string[], options: StartOptions = {}) {
    const begin = `echo $$ >${this.#path}/cgroup.procs && exec "$@"`
    return execa('/bin/sh', ['-c', begin, 'sh', program, ...words], {
      stdin: 'ignore',
      ...options,
      all: true,
      reject: false,
    })
  }

  /** Runs a program in the group to its end, which has to be a good one. */
  async run(program: string, words: readonly string[], options?: StartOptions): Promise<string> {
    const { failed, all, stdout } = await this.start(program, words, options)
    if (failed) throw new Error(`${program} ${words.join(' ')} failed: ${all}`)
    return stdout
  }

  /** The path of the file by which a process enters the group. */
  get entry(): string {
    return join(this.#path, 'cgroup.procs')
  }

  async pids(): Promise<number[]> {
    return (await readFile(this.entry, 'utf8')).split('\n').filter(Boolean).map(Number)
  }

  /** Returns the processor time that all of its processes have used so far. */
  async processorMs(): Promise<number> {
    const text = await readFile(join(this.#path, 'cpu.stat'), 'utf8')
    return Number(/^usage_usec (\d+)/m.exec(text)?.[1]) / 1000
  }

  /** Returns the memory of its processes; what several share counts in parts. */
  async memoryMb(): Promise<number> {
    let kilobytes = 0
    for (const pid of await this.pids()) {
      const text = await readFile(`/proc/${String(pid)}/smaps_rollup`, 'utf8').catch(() => '')
      // One that has ended meanwhile has none.
      kilobytes += Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0)
    }
    return kilobytes / 1000
  }

  async remove(): Promise<void> {
    // A process that has just ended may still be in it.
    for (let time = 0; (await this.pids()).length > 0; time += 1) {
      if (time === 50) throw new Error('Processes of a peer are left.')
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    await rmdir(this.#path)
  }
}
