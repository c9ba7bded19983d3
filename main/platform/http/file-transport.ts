import { type IncomingMessage, type ClientRequest, request as httpRequest } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { safeUrl } from '../../../contract/safe-url'
import { CausewayError } from '../../errors'
import type { AddressRule, FilePurpose } from './address-rules'
import { type AnswerHeaders, ReceivedHeaders } from './answer-headers'
import { insecureUrl, requestCancelled, timedOut } from './failure'
import { retryAfterSeconds } from './retrying-http'
import { Transport } from './transport'
import { userAgent } from './user-agent'

export interface FileToPut {
  /** The address of the service that named the URL, which decides where that may lead (AddressRules). */
  readonly namedBy: URL
  /** The number of bytes that `open` yields. */
  readonly bytes: number
  /** Undefined sends none, and no expectation either: nothing but what a PUT needs. */
  readonly contentType: string | undefined
  /**
   * Opens the content at its beginning, again after a redirect. A chunk is read until the next one is asked for. Its errors are
   * thrown by `put`.
   */
  readonly open: () => AsyncIterable<Uint8Array>
  readonly signal: AbortSignal
  /** Called with the number of bytes handed to the system so far. */
  readonly onSent: (bytes: number) => void
}

export interface StorageAnswer {
  readonly status: number
  /** The beginning of a refusal's body. */
  readonly text: string
  /** The time that the server wants to pass before another attempt. */
  readonly retryAfterSeconds?: number | undefined
}

export interface FileHead {
  readonly status: number
  readonly headers: AnswerHeaders
}

interface FileToGet {
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  /** The address of the service that named the URL, as in FileToPut. */
  readonly namedBy: URL
  /** Default `file`. */
  readonly purpose?: FilePurpose
}

/**
 * Transfers files of any size to and from servers that a service names, such as object storages with pre-signed URLs, as
 * streams. Sends nothing but what is named here: no cookies, no authorization. Follows up to three redirects, never to a less
 * secure address; for a PUT only 307 and 308. URLs and redirects lead only to addresses that the service may send us to.
 *
 * Both methods throw the errors of HttpClient except `http/too-large`, `http/private-address`, and `http/timed-out` after
 * two minutes without progress. The answer to a complete file may take five minutes, because the system buffers data on
 * slow lines. Errors contain no address but the host.
 */
export interface FileTransport {
  put(url: URL, file: FileToPut): Promise<StorageAnswer>
  /** Returns the result of `read`; its body ends with the answer, or throws as above, and is closed afterwards. */
  get<T>(
    url: URL,
    request: FileToGet,
    read: (head: FileHead, body: AsyncIterable<Uint8Array>) => Promise<T>,
  ): Promise<T>
}

interface FileTransportOptions {
  readonly transport?: Transport
  /** Time limit without progress, in milliseconds. */
  readonly idleMs?: number
  /** Time limit for the answer to a complete file, in milliseconds. */
  readonly answerMs?: number
  /** Time for the storage to refuse a file by its head, before the body is sent, in milliseconds. */
  readonly continueMs?: number
}

const maxRedirects = 3
const ends = ['response', 'error', 'close'] as const
const maxRefusal = 16 * 1024
/** Enough that the connection goes on while a piece is written, and that pieces are large. */
const readsAhead = 1024 * 1024

/** Creates a FileTransport. */
export function createFileTransport(options: FileTransportOptions = {}): FileTransport {
  const { transport = new Transport(), idleMs = 120_000, answerMs = 300_000, continueMs = 1000 } = options

  async function putOnce(target: Target, file: FileToPut, expects: boolean): Promise<StorageAnswer & Head> {
    let upload: Upload | undefined
    try {
      const socket = await transport.connect(target.url, target.rule, { signal: file.signal })
      const asks = expects && file.bytes > 0
      upload = new Upload(socket, target.url, file, { idleMs, expects: asks })
      if (asks) await upload.mayContinue(continueMs)
      // An early answer is a refusal or a redirect: the rest is not needed.
      if (await upload.send()) upload.allow(answerMs)
      return await upload.answer()
    } catch (error) {
      throw await failureOf(error, target, file.signal, upload?.timedOut)
    } finally {
      upload?.close()
    }
  }

  /** Converts network errors; keeps errors of the content unchanged. */
  function failureOf(
    error: unknown,
    { url, rule }: Target,
    signal: AbortSignal,
    isOverdue = false,
    stage: 'headers' | 'body' = 'headers',
  ): unknown {
    if (error instanceof CausewayError) return error
    if (signal.aborted) return requestCancelled()
    if (isOverdue) return timedOut(url)
    return transport.failure(error, url, { stage, rule, signal })
  }

  return {
    put: async (url, file) => {
      const { status, text, headers } = await followed(
        transport,
        url,
        { ...file, statuses: [307, 308] },
        async (target) => {
          const first = await putOnce(target, file, file.contentType !== undefined)
          // The server does not support the expectation, and wants the request without it (RFC 9110, 15.5.18).
          return first.status === 417 ? putOnce(target, file, false) : first
        },
      )
      return { status, text, retryAfterSeconds: retryAfterSeconds(headers, Date.now()) }
    },
    get: async (url, request, read) => {
      const { signal } = request
      const given = { ...request, statuses: [301, 302, 303, 307, 308] }
      const answer = await followed(transport, url, given, async (target) => {
        try {
          const headers = { accept: '*/*', 'accept-encoding': 'identity', ...request.headers }
          const { rule } = target
          return {
            ...(await transport.request(target.url, {
              method: 'GET',
              headers,
              signal,
              rule,
              idleMs,
              readsAhead,
            })),
            target,
          }
        } catch (error) {
          throw await failureOf(error, target, signal)
        }
      })
      const { target, body } = answer
      async function* pieces(): AsyncGenerator<Uint8Array> {
        try {
          yield* body as AsyncIterable<Uint8Array>
        } catch (error) {
          throw await failureOf(error, target, signal, false, 'body')
        }
      }
      try {
        return await read(answer, pieces())
      } finally {
        body.destroy()
      }
    },
  }
}

/** Sends a request, and again to where redirects with one of these statuses lead. */
async function followed<Answer extends Head>(
  transport: Pick<Transport, 'addressRules'>,
  url: URL,
  {
    namedBy,
    statuses,
    purpose = 'file',
  }: Pick<FileToGet, 'namedBy' | 'purpose'> & { readonly statuses: readonly number[] },
  send: (target: Target) => Promise<Answer>,
): Promise<Answer> {
  for (let target = url, redirects = 0; ; redirects += 1) {
    const rule = await transport.addressRules.ruleFor(purpose, target, namedBy)
    if (rule === undefined) throw insecureUrl(target)
    const answer = await send({ url: target, rule })
    const next = statuses.includes(answer.status)
      ? safeUrl('redirect', answer.headers.get('location'), target)
      : undefined
    // A redirect that may not be followed is returned as the answer.
    if (next === undefined || redirects === maxRedirects) return answer
    answer.body?.destroy()
    target = next
  }
}

interface Target {
  readonly url: URL
  readonly rule: AddressRule
}

interface Head extends FileHead {
  readonly body?: { destroy(): unknown }
}

/**
 * One PUT on a connection of its own. It is a request of Node.js over a connection of the transport, because undici can't ask
 * for permission (`Expect`, RFC 9110, 10.1.1): without it, a storage that refuses a large file closes the connection, and its
 * reason is lost.
 */
class Upload {
  timedOut = false
  readonly #file: FileToPut
  readonly #request: ClientRequest
  readonly #response: Promise<IncomingMessage>
  readonly #idle: NodeJS.Timeout
  #longer: NodeJS.Timeout | undefined
  #answered = false

  constructor(
    socket: Socket,
    { host, hostname, pathname, search }: URL,
    file: FileToPut,
    { idleMs, expects }: { readonly idleMs: number; readonly expects: boolean },
  ) {
    this.#file = file
    this.#request = httpRequest({
      createConnection: () => socket,
      method: 'PUT',
      host: hostname,
      path: `${pathname}${search}`,
      headers: {
        host,
        'user-agent': userAgent,
        'content-length': String(file.bytes),
        ...(file.contentType === undefined ? {} : { 'content-type': file.contentType }),
        ...(expects ? { expect: '100-continue' } : {}),
      },
      signal: file.signal,
    })
    this.#request.on('error', () => undefined)
    this.#idle = setTimeout(this.#giveUp, idleMs)
    this.#response = new Promise((resolve, reject) => {
      this.#request.once('response', (response) => {
        this.#answered = true
        response.on('error', () => undefined)
        resolve(response)
      })
      this.#request.once('error', reject)
      this.#request.once('close', () => {
        reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' }))
      })
    })
    this.#response.catch(() => undefined)
  }

  /** Waits until the server requests the content or answers, at most `ms`. */
  async mayContinue(ms: number): Promise<void> {
    this.#request.flushHeaders()
    await new Promise<void>((resolve) => {
      const done = (): void => {
        clearTimeout(longest)
        this.#request.off('continue', done).off('response', done).off('close', done)
        resolve()
      }
      const longest = setTimeout(done, ms)
      this.#request.on('continue', done).on('response', done).on('close', done)
    })
  }

  /** Sends the whole content; returns false if an answer arrives earlier. */
  async send(): Promise<boolean> {
    const { open, bytes, onSent } = this.#file
    let sent = 0
    for await (const chunk of open()) {
      sent += chunk.byteLength
      if (sent > bytes) throw new RangeError('There is more data to send than was announced.')
      // Reads pending answers first: an early refusal is lost after a write to a closed connection.
      await setImmediate()
      if (this.#isOver || !(await this.#written(chunk))) return false
      this.#idle.refresh()
      onSent(sent)
    }
    if (sent < bytes) throw new RangeError('There is less data to send than was announced.')
    this.#request.end()
    return true
  }

  get #isOver(): boolean {
    return this.#answered || this.#request.destroyed
  }

  /** Hands a chunk to the system; returns false if the exchange ends before. */
  #written(chunk: Uint8Array): Promise<boolean> {
    return new Promise((resolve) => {
      const done = (): void => {
        for (const event of ends) this.#request.off(event, done)
        resolve(!this.#isOver)
      }
      for (const event of ends) this.#request.on(event, done)
      this.#request.write(chunk, done)
    })
  }

  /** Replaces the idle limit with a longer one. */
  allow(ms: number): void {
    clearTimeout(this.#idle)
    this.#longer = setTimeout(this.#giveUp, ms)
  }

  /** Returns the answer, with the body of a refusal as far as it arrived. */
  async answer(): Promise<StorageAnswer & FileHead> {
    const response = await this.#response
    const { statusCode: status = 0 } = response
    const headers = new ReceivedHeaders(response.headers)
    if (status < 300) return { status, headers, text: '' }
    const parts: Uint8Array[] = []
    let length = 0
    try {
      for await (const chunk of response as AsyncIterable<Uint8Array>) {
        this.#idle.refresh()
        parts.push(chunk)
        length += chunk.byteLength
        if (length >= maxRefusal) break
      }
    } catch (error) {
      if (this.#file.signal.aborted) throw error
    }
    return { status, headers, text: Buffer.concat(parts).toString('utf8').slice(0, maxRefusal) }
  }

  close(): void {
    clearTimeout(this.#idle)
    clearTimeout(this.#longer)
    this.#request.destroy()
  }

  readonly #giveUp = (): void => {
    this.timedOut = true
    this.#request.destroy(new Error('nothing moved'))
  }
}
