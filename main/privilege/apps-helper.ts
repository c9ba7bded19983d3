import { type AskedHelper, followMessages, startAsked } from './asked-helper'
import { type HelperOptions, refusalOf } from './helper-client'
import type { AppOutcome, HelperMessage } from './helper-messages'
import type { HelperProcess } from './helper-process'
import { startHelper } from './start-helper'
import { asksNobody } from './terminal-agent'

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

  private constructor(options: HelperOptions, asked: AskedHelper) {
    this.#process = asked.process
    this.#process.stdout.resume()
    const messages: HelperMessage[] = []
    const followed = followMessages(asked, (message, text) => {
      messages.push(message)
      options.onMessage?.(message, text)
      if (message.message === 'app') this.#asked.shift()?.resolve(message.outcome)
    })
    this.ended = followed.then((end) => {
      this.#end = refusalOf(options, messages, end)
      for (const { reject } of this.#asked.splice(0)) reject(this.#end)
      return this.#end
    })
  }

  /** Starts it; the system may ask for a password. */
  static async start(options: HelperOptions): Promise<AppsHelper> {
    return new AppsHelper(options, await startAsked(options, 'apps'))
  }

  /** Starts it; undefined if somebody would be asked for a password. */
  static async startUnasked(options: HelperOptions): Promise<AppsHelper | undefined> {
    const isUnasked = await asksNobody(options.elevation)
    return isUnasked ? new AppsHelper(options, { process: startHelper(options, 'apps') }) : undefined
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
