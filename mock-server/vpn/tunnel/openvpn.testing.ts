import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { createInterface } from 'node:readline'
import type { KeyPair } from '../certificate-authority'
import { findProgram, requireProgram } from './programs'

/** Options after the configuration with which a client needs no device and no privilege. */
export const handshakeOnly = ['--dev', 'null', '--ifconfig-noexec', '--route-noexec']

/** Whether the servers can send a reason after AUTH_FAILED: since version 2.6. */
export const sendsReasons = () =>
  !/^OpenVPN 2\.[0-5]\./.test(
    spawnSync(requireProgram('openvpn'), ['--version'], { encoding: 'utf8' }).stdout,
  )

const connected = 'Initialization Sequence Completed'

/** A real OpenVPN client for tests, killed after some seconds at the latest. */
export class TestOpenVpn {
  readonly log: string[] = []
  /** Settles when the client has ended. */
  readonly ended: Promise<void>
  readonly #child: ChildProcess
  /** Emits `change` for each line of the log and at its end. */
  readonly #changes = new EventEmitter()
  #isSilent = false

  /**
   * Starts a client with the text of profile_config and a key pair of create_keypair, or with the whole text of
   * `/connect`.
   */
  constructor(config: string, keyPair: KeyPair | undefined, parameters: string[], limitSeconds = 20) {
    // Windows has another program of this name.
    const timeout = process.platform === 'win32' ? undefined : findProgram('timeout')
    const limit = timeout === undefined ? [] : [timeout, '-k', '1', String(limitSeconds)]
    const [command = '', ...rest] = [...limit, requireProgram('openvpn'), '--config', 'stdin', ...parameters]
    const child = spawn(command, rest, { stdio: ['pipe', 'pipe', 'inherit'] })
    this.#child = child
    const lines = createInterface({ input: child.stdout })
    lines.on('line', (line) => {
      this.log.push(line)
      this.#changes.emit('change')
    })
    lines.once('close', () => {
      this.#isSilent = true
      this.#changes.emit('change')
    })
    this.ended = new Promise((resolve) => {
      child.once('close', () => {
        resolve()
      })
    })
    const blocks =
      keyPair === undefined
        ? ''
        : `<cert>\n${keyPair.certificate}\n</cert>\n<key>\n${keyPair.private_key}\n</key>\n`
    child.stdin.end(`${config}\n${blocks}`)
  }

  /** Waits until the client is connected or has ended, and returns which. */
  isConnected(): Promise<boolean> {
    return this.logs(connected)
  }

  /** Waits until a line of the log contains this text; resolves with false if the client ends before. */
  logs(text: string): Promise<boolean> {
    return new Promise((resolve) => {
      const look = () => {
        const isThere = this.log.some((line) => line.includes(text))
        if (!isThere && !this.#isSilent) return
        this.#changes.off('change', look)
        resolve(isThere)
      }
      this.#changes.on('change', look)
      look()
    })
  }

  async stop(): Promise<void> {
    this.#child.kill('SIGTERM')
    await this.ended
  }
}
