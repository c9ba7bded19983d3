import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { execa } from 'execa'
import { afterAll, inject } from 'vitest'
import type { MockServer } from '../../mock-server/server'
import { startTestMock } from '../../mock-server/test-authority'
import { createInstanceList } from '../portal/instance/instance-list'
import { runHosted } from './command-hosts.testing'

/** Builds the command and starts a mock server for a test file. Call it at the top level of the file. */
export async function startCommandAndMock(
  options: Parameters<typeof startTestMock>[0] = { tunnel: 'openvpn', autoApprove: true },
  how: CommandOptions = {},
): Promise<{ readonly command: BuiltCommand; readonly mock: MockServer }> {
  const command = await BuiltCommand.make(how)
  const mock = await startTestMock(options)
  afterAll(async () => {
    await mock.close()
    await command.remove()
  })
  return { command, mock }
}

export interface Outcome {
  readonly status: number | undefined
  readonly stdout: string
  readonly stderr: string
}

export interface CommandOptions {
  /**
   * Starts a process for each command, as users do: for tests of processes, signals, locks and exit codes. By default
   * commands share processes (command-hosts.testing.ts), where that makes no difference to them.
   */
  readonly ownProcesses?: boolean
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>
  /** A program, with its arguments, that starts the command. */
  readonly through?: readonly string[]
}

/** The terminal command, built by scripts/test-programs.ts, and the users of a test file. */
export class BuiltCommand {
  /** The words that start the command. */
  readonly words: readonly [string, string] = [process.execPath, inject('programs').command]
  readonly #folder: string
  readonly #ownProcesses: boolean

  private constructor(folder: string, ownProcesses: boolean) {
    this.#folder = folder
    this.#ownProcesses = ownProcesses
  }

  /** Creates a folder for the users' data, readable by other users like the system's temporary folder. */
  static async make({ ownProcesses = false }: CommandOptions = {}): Promise<BuiltCommand> {
    const folder = await mkdtemp(join(tmpdir(), 'causeway-cli-'))
    await chmod(folder, 0o755)
    return new BuiltCommand(folder, ownProcesses)
  }

  /** Removes the users' data. */
  async remove(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true })
  }

  /**
   * Creates a user with a data directory, a file instead of a key store, a browser that approves everything, and this instance,
   * if any.
   */
  async person(instance?: string): Promise<Person> {
    const dataDir = await mkdtemp(join(this.#folder, 'data-'))
    const instances = createInstanceList({ dataDirectory: dataDir, now: () => new Date() })
    if (instance !== undefined) await instances.add({ address: instance })
    return new Person(this.words, dataDir, this.#ownProcesses)
  }
}

/** JavaScript that sends a GET request. Loading fetch would take four times as long as all the rest. */
const visit = `const visit = async (address) => { const { get } = await import('node:' + new URL(address).protocol.slice(0, -1)); return new Promise((resolve, reject) => get(address, (answer) => answer.resume().once('end', () => resolve(answer))).once('error', reject)) }`

/** curl, where there is one: it follows redirects in a fifth of the time that Node.js takes to start. */
const curl = '/usr/bin/curl'
const hasCurl = existsSync(curl)

/**
 * Returns a browser command that opens the URL and follows its redirects. `change` is JavaScript that may change `url`, the
 * target of the first redirect.
 */
export function scriptedBrowser(change = ''): string {
  const ca = process.env.NODE_EXTRA_CA_CERTS
  const trust = ca === undefined ? [] : ['--cacert', ca]
  if (change === '' && hasCurl)
    return commandOf(curl, '--silent', '--location', '--output', '/dev/null', ...trust)
  const follow = `for (let next = url; next !== undefined; ) { const { location } = (await visit(next)).headers; next = location && new URL(location, next) }`
  const script = `${visit}; const url = new URL((await visit(process.argv.at(-1))).headers.location); ${change}; ${follow}`
  return browserRunning('--input-type=module', '-e', script)
}

/** False on Windows, where a test can't interrupt a program as Ctrl-C does: `kill` ends it at once. */
export const canInterrupt = process.platform !== 'win32'

/** A browser that opens nothing, and one that fails. */
export const idleBrowser = browserRunning('-e', '0')
export const failingBrowser = browserRunning('-e', 'process.exit(1)')

function browserRunning(...words: readonly string[]): string {
  return commandOf(process.execPath, ...words)
}

function commandOf(...words: readonly string[]): string {
  return words.map((word) => word.replaceAll(' ', '\\ ')).join(' ')
}

/** The time after which a command that hasn't ended is killed. */
const limitMs = 180_000

export class Person {
  readonly dataDir: string
  readonly #command: readonly [string, string]
  readonly #ownProcesses: boolean

  constructor(command: readonly [string, string], dataDir: string, ownProcesses: boolean) {
    this.#command = command
    this.dataDir = dataDir
    this.#ownProcesses = ownProcesses
  }

  #environment(more: Readonly<Record<string, string>>): Record<string, string> {
    return {
      PATH: process.env.PATH ?? '',
      HOME: this.dataDir,
      TZ: 'UTC',
      LANG: 'C.UTF-8',
      CAUSEWAY_DATA_DIR: this.dataDir,
      CAUSEWAY_SECRET_STORE: 'file',
      CAUSEWAY_BROWSER: scriptedBrowser(),
      // As a company sets it for its own authority: the mock's certificate is of one that only this run knows.
      NODE_EXTRA_CA_CERTS: process.env.NODE_EXTRA_CA_CERTS ?? '',
      ...more,
    }
  }

  /** Starts the command in its own process. */
  start(args: readonly string[], { env = {}, through = [] }: RunOptions = {}) {
    const [node, script] = this.#command
    // Optimizing the machine code of fetch's parser would take longer than a command does without.
    const [program = '', ...words] = [...through, node, '--liftoff-only', script, ...args]
    return execa(program, words, {
      reject: false,
      timeout: limitMs,
      killSignal: 'SIGKILL',
      extendEnv: false,
      env: this.#environment(env),
    })
  }

  /** Runs the command, in its own process if the options or variables require it. */
  async run(args: readonly string[], options: RunOptions = {}): Promise<Outcome> {
    const { env = {}, through } = options
    // Node.js reads other variables when it starts.
    const isShared = through === undefined && Object.keys(env).every((name) => name.startsWith('CAUSEWAY_'))
    if (isShared && !this.#ownProcesses) {
      const [, script] = this.#command
      const { status, stdout, stderr } = await runHosted(
        { script, args, env: this.#environment(env) },
        limitMs,
      )
      return { status, stdout: withoutLastLineEnd(stdout), stderr: withoutLastLineEnd(stderr) }
    }
    const { exitCode, stdout, stderr } = await this.start(args, options)
    return { status: exitCode, stdout, stderr }
  }

  /** Runs a command with `--json` and returns its output; throws if it fails. */
  async json(...args: string[]): Promise<unknown> {
    const outcome = await this.run([...args, '--json'])
    if (outcome.status !== 0) throw new Error(`causeway ${args.join(' ')}: ${outcome.stderr}`)
    return JSON.parse(outcome.stdout)
  }

  /** Runs a command with `--json` that fails; returns its exit status and error. */
  async failure(args: readonly string[], options: RunOptions = {}): Promise<Failure> {
    return failureOf(await this.run([...args, '--json'], options))
  }

  /** Returns the content of the file that replaces the key store. */
  async secrets(): Promise<string> {
    return readFile(join(this.dataDir, 'secrets.json'), 'utf8')
  }
}

function withoutLastLineEnd(text: string): string {
  return text.replace(/\n$/, '')
}

export type Running = ReturnType<Person['start']>

/** Resolves with the process id once the command has printed a line with these words. */
export async function printed(running: Running, words: string): Promise<number> {
  for await (const line of createInterface({ input: running.stdout })) {
    if (!line.includes(words)) continue
    if (running.pid === undefined) throw new Error('The command has no process id.')
    return running.pid
  }
  throw new Error(`It ended without saying ${words}.`)
}

/** Returns all long words of letters and digits: tokens, codes, verifiers, lines of a key. */
export function secretWords(text: string): string[] {
  return text.match(/[\w+/=-]{40,}/g) ?? []
}

export interface Failure {
  readonly status: number | undefined
  readonly code: string
  readonly message: string
  readonly details?: Readonly<Record<string, unknown>>
}

/** Parses standard error as scripts do: one line of JSON with the error. */
export function failureOf({ status, stderr }: Outcome): Failure {
  const line = JSON.parse(stderr) as object
  if (!('error' in line)) throw new Error(`Not an error: ${stderr}`)
  return { status, ...(line.error as Omit<Failure, 'status'>) }
}
