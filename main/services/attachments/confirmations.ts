import { CausewayError } from '../../errors'
import type { AttachmentsClient } from './attachments-client'

interface ConfirmationOptions {
  readonly client: () => Promise<AttachmentsClient>
  /** Throws when the signal aborts. */
  readonly delay: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

const firstDelayMs = 500
const longestDelayMs = 10_000
const pageSize = 100

interface Followed {
  readonly end: (outcome: 'completed' | 'unconfirmed') => void
  readonly fail: (error: unknown) => void
}

/**
 * Polls uploaded files until their service reports COMPLETED (attachments-service.md, section 3). An attachment answers 404
 * until its file arrived, as a deleted one does. All files of one service share the polling: one request at a time, with a
 * delay that grows from half a second; with several files, one page of the list serves all.
 */
export class Confirmations {
  readonly #options: ConfirmationOptions
  readonly #followed = new Map<string, Followed>()
  #isRunning = false
  #stop = new AbortController()
  #delayMs = firstDelayMs

  constructor(options: ConfirmationOptions) {
    this.#options = options
  }

  /** Resolves with `unconfirmed` when the caller aborts, also while the service is asked. */
  follow(attachmentId: string, signal: AbortSignal): Promise<'completed' | 'unconfirmed'> {
    return new Promise((resolve, reject) => {
      const forget = (): void => {
        signal.removeEventListener('abort', giveUp)
        if (this.#followed.get(attachmentId)?.end === end) this.#followed.delete(attachmentId)
        if (this.#followed.size === 0) this.#stop.abort()
      }
      const end: Followed['end'] = (outcome) => {
        forget()
        resolve(outcome)
      }
      const fail: Followed['fail'] = (error) => {
        forget()
        reject(error instanceof Error ? error : new Error(String(error)))
      }
      const giveUp = (): void => {
        end('unconfirmed')
      }
      if (signal.aborted) {
        resolve('unconfirmed')
        return
      }
      // A new file for the same attachment ends the polling for the previous one.
      this.#followed.get(attachmentId)?.end('unconfirmed')
      signal.addEventListener('abort', giveUp)
      this.#followed.set(attachmentId, { end, fail })
      this.#delayMs = firstDelayMs
      if (!this.#isRunning) void this.#run()
    })
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    while (this.#followed.size > 0) {
      this.#stop = new AbortController()
      const { signal } = this.#stop
      try {
        await this.#round(signal)
      } catch (error) {
        if (!signal.aborted) for (const { fail } of [...this.#followed.values()]) fail(error)
      }
    }
    this.#isRunning = false
  }

  async #round(signal: AbortSignal): Promise<void> {
    const ms = this.#delayMs
    await this.#options.delay(ms, signal)
    this.#delayMs = Math.min(2 * ms, longestDelayMs)
    await this.#ask(signal)
  }

  async #ask(signal: AbortSignal): Promise<void> {
    const client = await this.#options.client().catch(passingOnly)
    if (client === undefined) return
    const ids = [...this.#followed.keys()]
    const onPage = ids.length > 1 ? await this.#statuses(client, signal) : new Map<string, string>()
    for (const id of ids) {
      if (!this.#followed.has(id)) continue
      const status = onPage.get(id) ?? (await statusOf(client, id, signal))
      if (status === 'COMPLETED') this.#followed.get(id)?.end('completed')
    }
  }

  async #statuses(client: AttachmentsClient, signal: AbortSignal): Promise<Map<string, string>> {
    const page = await client.list({ pageSize }, signal).catch(passingOnly)
    return new Map(page?.data.map(({ id, status }) => [id, status]))
  }
}

async function statusOf(
  client: AttachmentsClient,
  id: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  return (await client.show(id, signal).catch(passingOnly))?.status
}

/** Ignores errors of the service and the network: the files are uploaded anyway. */
function passingOnly(error: unknown): undefined {
  if (!(error instanceof CausewayError)) throw error
}
