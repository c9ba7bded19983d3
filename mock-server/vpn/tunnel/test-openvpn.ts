import { spawn, type ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { KeyPair } from '../certificate-authority'
import { findProgram, requireProgram } from './programs'

/** Options that come after the configuration, so that a client needs no device and no right at all. */
export const handshakeOnly = ['--dev', 'null', '--ifconfig-noexec', '--route-noexec']

const connected = 'Initialization Sequence Completed'

/** A real OpenVPN client in a test, ended by force after twenty seconds whatever happens. */
export class TestOpenVpn {
  readonly log: string[] = []
  /** Settles when it has ended, for whatever reason. */
  readonly ended: Promise<void>
  readonly #child: ChildProcess

  /** Starts a client with the text of profile_config and a key pair of create_keypair. */
  constructor(config: string, keyPair: KeyPair, parameters: string[]) {
    const timeout = findProgram('timeout')
    const limit = timeout === undefined ? [] : [timeout, '-k', '1', '20']
    const [command = '', ...rest] = [...limit, requireProgram('openvpn'), '--config', 'stdin', ...parameters]
    const child = spawn(command, rest, { stdio: ['pipe', 'pipe', 'inherit'] })
    this.#child = child
    this.ended = new Promise((resolve) => {
      child.once('close', () => {
        resolve()
      })
    })
    child.stdin.end(
      `${config}\n<cert>\n${keyPair.certificate}\n</cert>\n<key>\n${keyPair.private_key}\n</key>\n`,
    )
  }

  /** Reads the log until the client is connected or has ended, and says which. */
  async isConnected(): Promise<boolean> {
    const { stdout } = this.#child
    if (stdout === null) return false
    for await (const line of createInterface({ input: stdout })) {
      this.log.push(line)
      if (line.includes(connected)) {
        stdout.resume()
        return true
      }
    }
    return false
  }

  async stop(): Promise<void> {
    this.#child.kill('SIGTERM')
    await this.ended
  }
}
