import { expect, inject } from 'vitest'
import { testAuthority } from '../../mock-server/test-authority'
import { nodeProgram, type Windows, windowsPath } from './computer'

/** A browser that opens the address, and follows the redirects of a login that is approved at once. */
const browser = 'fetch(process.argv.at(-1)).then((answer)=>answer.text())'

/** A user of Causeway's terminal command on Windows. */
export class Person {
  readonly #windows: Windows
  readonly dataDir: string

  private constructor(windows: Windows, dataDir: string) {
    this.#windows = windows
    this.dataDir = dataDir
  }

  /** Makes a data directory, whose name is the last part of its path. */
  static async make(windows: Windows, name = 'data'): Promise<Person> {
    return new Person(windows, await windows.makeFolder(name))
  }

  start(...words: readonly string[]) {
    return this.#windows.node([windowsPath(inject('programs').command), ...words], {
      CAUSEWAY_DATA_DIR: this.dataDir,
      NODE_EXTRA_CA_CERTS: windowsPath(testAuthority().ca),
      CAUSEWAY_BROWSER: `${windowsPath(nodeProgram)} -e ${browser}`,
    })
  }

  async run(...words: readonly string[]) {
    return (await this.start(...words)).ended
  }

  /** Runs a command with `--json`, and returns its answer; throws if it fails. */
  async json(...words: readonly string[]): Promise<unknown> {
    const { status, stdout, stderr } = await this.run(...words, '--json')
    if (status !== 0) throw new Error(`causeway ${words.join(' ')} ended with ${String(status)}: ${stderr}`)
    return stdout === '' ? undefined : JSON.parse(stdout)
  }

  /** Adds an instance, and logs in with a browser that approves. */
  async logIn(instance: string): Promise<void> {
    await this.json('instance', 'add', instance)
    await this.json('login')
  }

  /** Connects; resolves once the tunnel is up. */
  async connect(...words: readonly string[]) {
    const running = await this.start('connect', 'internet', ...words, '--json')
    const states = async () => statesIn(await running.stdout())
    const ended = running.ended.then(({ status, stdout, stderr }) => {
      throw new Error(`causeway connect ended with ${String(status)}: ${stdout}${stderr}`)
    })
    await Promise.race([expect.poll(states).toContain('connected'), ended])
    return { ...running, states }
  }
}

/** Returns the states in the output of `connect --json`, without repetitions. */
function statesIn(output: string): string[] {
  return output
    .split('\n')
    .filter((line) => line.trimEnd().endsWith('}'))
    .map((line) => (JSON.parse(line) as { state: string }).state)
    .filter((state, index, all) => state !== all[index - 1])
}
