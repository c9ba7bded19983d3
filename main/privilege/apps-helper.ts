import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { type HelperOptions, refusalOf } from './helper-client'
import { type AppOutcome, type HelperMessage, parseHelperMessage } from './helper-messages'
import type { HelperProcess } from './helper-process'
import { saysWrongPassword, startHelper, startWithTries } from './start-helper'
import { asksNobody, startTerminalAgent } from './terminal-agent'

/**
 * A running `causeway-helper apps`, which moves apps without a tunnel, and changes the list of the kill switch while it is up
 * (docs/helper.md, "Apps outside and inside").
 */
export class AppsHelper {
  readonly #process: HelperProcess
  readonly #asked: {
    readonly resolve: (outcome: AppOutcome) => void
    readonly reject: (error: Error) => void
  }[] = []
  /** Resolves with the reason for its end; never rejects. */
  readonly ended: Promise<Error>
  #end: Error | undefined

  private constructor(options: HelperOptions, process: HelperProcess, endAgent?: () => void) {
    this.#process = process
    process.stdin.on('error', () => undefined)
    process.stdout.resume()
    const messages: HelperMessage[] = []
    let isWrongPassword = endAgent !== undefined
    const onLine = (line: string): void => {
      isWrongPassword ||= saysWrongPassword(line)
      const message = parseHelperMessage(line)
      if (message === undefined) return
      endAgent?.()
      messages.push(message)
      options.onMessage?.(message, line)
      if (message.message === 'app') this.#asked.shift()?.resolve(message.outcome)
    }
    const read = once(createInterface({ input: process.stderr }).on('line', onLine), 'close')
    this.ended = Promise.all([process.ended, read]).then(([{ exitCode }]) => {
      endAgent?.()
      this.#end = refusalOf(options, messages, exitCode, isWrongPassword)
      for (const { reject } of this.#asked.splice(0)) reject(this.#end)
      return this.#end
    })
  }

  /** Starts it; the system may ask for a password. */
  static async start(options: HelperOptions): Promise<AppsHelper> {
    const endAgent = await startTerminalAgent(options.elevation)
    const start = endAgent === undefined ? startHelper : startWithTries
    return new AppsHelper(options, start(options, 'apps'), endAgent)
  }

  /** Starts it; undefined if somebody would be asked for a password. */
  static async startUnasked(options: HelperOptions): Promise<AppsHelper | undefined> {
    const isUnasked = await asksNobody(options.elevation)
    return isUnasked ? new AppsHelper(options, startHelper(options, 'apps')) : undefined
  }

  /** Sends a command, and returns its answer. Throws `helper/*` if the helper ends before. */
  ask(command: string): Promise<AppOutcome> {
    return new Promise((resolve, reject) => {
      if (this.#end !== undefined) {
        reject(this.#end)
        return
      }
      this.#asked.push({ resolve, reject })
      this.#process.stdin.write(`${command}\n`)
    })
  }

  /** Ends it, and waits for the end. */
  async end(): Promise<void> {
    this.#process.stdin.end()
    await this.ended
  }
}
