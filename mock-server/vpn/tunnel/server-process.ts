import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { findProgram, requireProgram } from './programs'

/** The log line of a server that is ready: set up completely with a device, or bound to its port without one. */
export const readyLines = {
  tun: /Initialization Sequence Completed/,
  handshake: /Listening for incoming TCP connection on |UDPv[46] link local \(bound\): /,
}
/** Matches the client's own certificate, not that of its CA. */
const verifiedClient = /VERIFY OK: depth=0, CN=(.+)$/
const startLimitMs = 10_000
const stopLimitMs = 2_000

/** Returns a command that ends with this process, even if this process is killed. */
export function endingWithUs(command: string[]): string[] {
  const setpriv = process.platform === 'linux' ? findProgram('setpriv') : undefined
  return setpriv === undefined ? command : [setpriv, '--pdeathsig', 'KILL', '--', ...command]
}

/** An OpenVPN server. It reads its configuration and key from standard input, so that nothing is written to disk. */
export class ServerProcess {
  readonly ended: Promise<void>
  readonly #child: ChildProcess
  readonly #verified = new Set<string>()

  private constructor(child: ChildProcess) {
    this.#child = child
    const ignore = () => undefined
    this.ended = once(child, 'close').then(ignore, ignore)
  }

  /** Starts a server and waits for its ready line. Rejects with the end of its log if it ends, or isn't ready in time. */
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
        if (client !== undefined) {
          server.#verified.add(client)
          onClient(client)
        }
        if (!readyLine.test(line)) return
        clearTimeout(timer)
        resolve(true)
      })
      child.stdin.end(config)
    })
    if (isReady) return server
    await server.stop()
    throw new Error(`OpenVPN could not start as a server. The end of its log: ${lines.join(' | ')}`)
  }

  hasVerified(commonName: string): boolean {
    return this.#verified.has(commonName)
  }

  /** Stops the process with SIGSTOP: packets wait in the kernel until it is thawed. */
  freeze(): void {
    this.#child.kill('SIGSTOP')
  }

  thaw(): void {
    // Windows has no such signal, and nothing that was frozen (tunnel-switch.ts).
    if (process.platform !== 'win32') this.#child.kill('SIGCONT')
  }

  /** Ends the process, even a frozen one: with a signal, and after two seconds by force. */
  async stop(): Promise<void> {
    this.#child.kill('SIGTERM')
    this.thaw()
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), stopLimitMs)
    await this.ended
    clearTimeout(timer)
  }
}
