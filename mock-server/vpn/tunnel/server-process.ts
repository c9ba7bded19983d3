import { spawn, type ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { findProgram, requireProgram } from './programs'

/** What a server says once clients can come: with a device, when all is set up; without, when it has its port. */
export const readyLines = {
  tun: /Initialization Sequence Completed/,
  handshake: /Listening for incoming TCP connection on |UDPv[46] link local \(bound\): /,
}
/** Of the client itself, not of the authority above it. */
const verifiedClient = /VERIFY OK: depth=0, CN=(.+)$/
const startLimitMs = 10_000
const stopLimitMs = 2_000

/** The command line that ends with this process, even when this process is killed: nobody is left to stop it then. */
function endingWithUs(command: string[]): string[] {
  const setpriv = process.platform === 'linux' ? findProgram('setpriv') : undefined
  return setpriv === undefined ? command : [setpriv, '--pdeathsig', 'KILL', '--', ...command]
}

/** One OpenVPN server. It reads its configuration, key included, from standard input: nothing is written to disk. */
export class ServerProcess {
  /** Settles when the process has ended, for whatever reason. */
  readonly ended: Promise<void>
  readonly #child: ChildProcess

  private constructor(child: ChildProcess) {
    this.#child = child
    this.ended = new Promise((resolve) => {
      child.once('close', () => {
        resolve()
      })
      child.once('error', () => {
        resolve()
      })
    })
  }

  /**
   * Starts a server and waits for its ready line. `prefix` is put before the command, to run it elsewhere; `onClient` is
   * told the common name of every client's certificate that the server has verified.
   * Rejects with the end of OpenVPN's log when it ends instead, or takes more than ten seconds.
   */
  static async start(
    config: string,
    readyLine: RegExp,
    onClient: (commonName: string) => void,
    prefix: string[] = [],
  ): Promise<ServerProcess> {
    const [command = '', ...parameters] = [
      ...prefix,
      ...endingWithUs([requireProgram('openvpn'), '--config', 'stdin']),
    ]
    const child = spawn(command, parameters, { stdio: ['pipe', 'pipe', 'ignore'] })
    const server = new ServerProcess(child)
    const lines: string[] = []
    child.stdin.on('error', () => {
      lines.push('(the configuration could not be handed over)')
    })
    const log = createInterface({ input: child.stdout })
    const isReady = await new Promise<boolean>((resolve) => {
      const timer = setTimeout(resolve, startLimitMs, false)
      void server.ended.then(() => {
        clearTimeout(timer)
        resolve(false)
      })
      log.on('line', (line) => {
        if (lines.push(line) > 2) lines.shift()
        const client = verifiedClient.exec(line)?.[1]
        if (client !== undefined) onClient(client)
        if (!readyLine.test(line)) return
        clearTimeout(timer)
        resolve(true)
      })
      child.stdin.end(config)
    })
    if (isReady) return server
    await server.stop()
    throw new Error(`OpenVPN could not start as a server. Its last words: ${lines.join(' | ')}`)
  }

  /** Halts the process: packets to it wait in the kernel until it is thawed. */
  freeze(): void {
    this.#child.kill('SIGSTOP')
  }

  thaw(): void {
    this.#child.kill('SIGCONT')
  }

  /** Ends the process, even a frozen one: politely, and after two seconds by force. */
  async stop(): Promise<void> {
    this.#child.kill('SIGTERM')
    this.thaw()
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), stopLimitMs)
    await this.ended
    clearTimeout(timer)
  }
}
