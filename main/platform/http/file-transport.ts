import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import type { SecureContext } from 'node:tls'
import { CausewayError } from '../../errors'
import { createAddressRules, type AddressRules } from './address-rules'
import { withIssuer } from './certificate-issuer'
import { networkFailure, requestCancelled, timedOut } from './failure'
import { safeUrl } from '../../../contract/safe-url'
import { systemTrust, type Trust } from './trust'
import { userAgent } from './user-agent'

export interface FileToPut {
  /** The address of the service that named the URL, which decides where that may lead (AddressRules). */
  readonly namedBy: URL
  /** The number of bytes that `open` yields. */
  readonly bytes: number
  /** Undefined sends none, and no expectation either: nothing but what a PUT needs. */
  readonly contentType: string | undefined
  /** Opens the content at its beginning, again after a redirect. Its errors are thrown by `put`. */
  readonly open: () => AsyncIterable<Uint8Array>
  readonly signal: AbortSignal
  /** Called with the number of bytes handed to the system so far. */
  readonly onSent: (bytes: number) => void
}

export interface StorageAnswer {
  readonly status: number
  /** The beginning of a refusal's body. */
  readonly text: string
}

export interface FileHead {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

/**
 * Transfers files of any size to and from object storages with pre-signed URLs, as streams. Sends nothing but what is named
 * here: no cookies, no authorization. Follows up to three redirects, never to a less secure address; for a PUT only 307 and
 * 308. URLs and redirects lead only to addresses that the service may send us to.
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
    request: {
      readonly headers: Readonly<Record<string, string>>
      readonly signal: AbortSignal
      /** The address of the service that named the URL, as in FileToPut. */
      readonly namedBy: URL
    },
    read: (head: FileHead, body: AsyncIterable<Uint8Array>) => Promise<T>,
  ): Promise<T>
}

interface FileTransportOptions {
  /** Time limit without progress, in milliseconds. */
  readonly idleMs?: number
  /** Time limit for the answer to a complete file, in milliseconds. */
  readonly answerMs?: number
  /** Time for the storage to refuse a file by its head, before the body is sent, in milliseconds. */
  readonly continueMs?: number
  readonly addressRules?: AddressRules
  /** Default: the authorities that this computer trusts. */
  readonly trust?: Pick<Trust, 'secureContext'>
}

const mostRedirects = 3
const moves = ['drain', 'response', 'error', 'close'] as const
const longestRefusal = 16 * 1024

/** Creates a FileTransport over the HTTP modules of Node.js, because fetch cannot send streams of a known length. */
export function createFileTransport(options: FileTransportOptions = {}): FileTransport {
  const {
    idleMs = 120_000,
    answerMs = 300_000,
    continueMs = 1000,
    addressRules = createAddressRules(),
    trust = systemTrust,
  } = options
  const trusted = async (url: URL) =>
    url.protocol === 'https:' ? { secureContext: await trust.secureContext() } : {}

  async function putOnce(
    url: URL,
    lookup: LookupFunction,
    file: FileToPut,
    expects: boolean,
  ): Promise<Exchange> {
    const headers = {
      'content-length': String(file.bytes),
      ...(file.contentType === undefined ? {} : { 'content-type': file.contentType }),
      ...(expects && file.bytes > 0 ? { expect: '100-continue' } : {}),
    }
    const exchange = new Exchange(url, {
      method: 'PUT',
      headers,
      signal: file.signal,
      idleMs,
      lookup,
      ...(await trusted(url)),
    })
    try {
      if ('expect' in headers) await exchange.mayContinue(continueMs)
      const sent = await exchange.send(file)
      // An early answer is a refusal or a redirect: the rest is not needed.
      if (sent) exchange.allow(answerMs)
      await exchange.answer
      return exchange
    } catch (error) {
      exchange.close()
      throw await withIssuer(exchange.failure(error), url, file.signal)
    }
  }

  async function getOnce(
    url: URL,
    lookup: LookupFunction,
    request: { headers: Readonly<Record<string, string>>; signal: AbortSignal },
  ) {
    const headers = { accept: '*/*', 'accept-encoding': 'identity', ...request.headers }
    const exchange = new Exchange(url, {
      method: 'GET',
      headers,
      signal: request.signal,
      idleMs,
      lookup,
      ...(await trusted(url)),
    })
    try {
      exchange.end()
      await exchange.answer
      return exchange
    } catch (error) {
      exchange.close()
      throw await withIssuer(exchange.failure(error), url, request.signal)
    }
  }

  return {
    put: async (url, file) => {
      const exchange = await followed(url, file.namedBy, [307, 308], async (target, lookup) => {
        const first = await putOnce(target, lookup, file, file.contentType !== undefined)
        // The server does not support the expectation, and wants the request without it (RFC 9110, 15.5.18).
        if ((await first.answer).statusCode !== 417) return first
        first.close()
        return putOnce(target, lookup, file, false)
      })
      try {
        const { status, text } = await exchange.refusal()
        return { status, text }
      } finally {
        exchange.close()
      }
    },
    get: async (url, request, read) => {
      const exchange = await followed(url, request.namedBy, [301, 302, 303, 307, 308], (target, lookup) =>
        getOnce(target, lookup, request),
      )
      try {
        const { statusCode: status = 0, headers } = await exchange.answer
        return await read({ status, headers }, exchange.body())
      } finally {
        exchange.close()
      }
    },
  }

  async function followed(
    url: URL,
    namedBy: URL,
    statuses: readonly number[],
    send: (url: URL, lookup: LookupFunction) => Promise<Exchange>,
  ): Promise<Exchange> {
    for (let target = url, redirects = 0; ; redirects += 1) {
      const rule = await addressRules.ruleFor('file', target, namedBy)
      if (rule === undefined) throw insecureUrl(target)
      rule.check(target)
      const exchange = await send(target, rule.lookup)
      const { statusCode = 0, headers } = await exchange.answer
      const next = statuses.includes(statusCode) ? safeUrl('redirect', headers.location, target) : undefined
      // A redirect that may not be followed is returned as the answer.
      if (next === undefined || redirects === mostRedirects) return exchange
      exchange.close()
      target = next
    }
  }
}

/** One request and its answer on a separate connection, which must be closed. */
class Exchange {
  readonly answer: Promise<IncomingMessage>
  readonly #url: URL
  readonly #request: ClientRequest
  readonly #signal: AbortSignal
  readonly #idle: NodeJS.Timeout
  #answered = false
  #timedOut = false
  #longer: NodeJS.Timeout | undefined

  constructor(
    url: URL,
    options: {
      readonly method: string
      readonly headers: Readonly<Record<string, string>>
      readonly signal: AbortSignal
      readonly idleMs: number
      readonly lookup: LookupFunction
      readonly secureContext?: SecureContext
    },
  ) {
    const { idleMs, ...sent } = options
    const { signal } = options
    this.#url = url
    this.#signal = signal
    const request = url.protocol === 'https:' ? requestHttps : requestHttp
    this.#request = request(url, {
      ...sent,
      headers: { 'user-agent': userAgent, ...sent.headers },
      agent: false,
    })
    this.#request.on('error', () => undefined)
    this.#idle = setTimeout(this.#giveUp, idleMs)
    this.answer = new Promise((resolve, reject) => {
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
    this.answer.catch(() => undefined)
  }

  end(): void {
    this.#request.end()
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
  async send({ open, bytes, onSent }: FileToPut): Promise<boolean> {
    let sent = 0
    for await (const chunk of open()) {
      sent += chunk.byteLength
      if (sent > bytes) throw new RangeError('There is more data to send than was announced.')
      // Reads pending answers first: an early refusal is lost after a write to a closed connection.
      await setImmediate()
      if (this.#isOver || (!this.#request.write(chunk) && (await this.#moved()))) return false
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

  /** Waits until more can be written; returns true if the exchange is over. */
  #moved(): Promise<boolean> {
    return new Promise((resolve) => {
      const done = (): void => {
        for (const event of moves) this.#request.off(event, done)
        resolve(this.#isOver)
      }
      for (const event of moves) this.#request.on(event, done)
      // The exchange may have ended before the listeners were added.
      if (this.#isOver) done()
    })
  }

  /** Replaces the idle limit with a longer one. */
  allow(ms: number): void {
    clearTimeout(this.#idle)
    this.#longer = setTimeout(this.#giveUp, ms)
  }

  async *body(): AsyncGenerator<Uint8Array> {
    const response = await this.answer
    try {
      for await (const chunk of response as AsyncIterable<Uint8Array>) {
        this.#idle.refresh()
        yield chunk
        this.#idle.refresh()
      }
      if (!response.complete) throw Object.assign(new Error('incomplete'), { code: 'ECONNRESET' })
    } catch (error) {
      throw this.failure(error, 'body')
    }
  }

  /** Returns the status, and the body of a refusal as far as it arrived. */
  async refusal(): Promise<StorageAnswer> {
    const { statusCode: status = 0 } = await this.answer
    if (status < 300) return { status, text: '' }
    const parts: Uint8Array[] = []
    let length = 0
    try {
      for await (const chunk of this.body()) {
        parts.push(chunk)
        length += chunk.byteLength
        if (length >= longestRefusal) break
      }
    } catch (error) {
      if (this.#signal.aborted) throw error
    }
    return { status, text: Buffer.concat(parts).toString('utf8').slice(0, longestRefusal) }
  }

  close(): void {
    clearTimeout(this.#idle)
    clearTimeout(this.#longer)
    this.#request.destroy()
  }

  /** Converts network errors; keeps errors of the content unchanged. */
  failure(error: unknown, stage: 'headers' | 'body' = 'headers'): unknown {
    if (error instanceof CausewayError) return error
    if (this.#signal.aborted) return requestCancelled()
    if (this.#timedOut) return timedOut(this.#url)
    const isFromNetwork =
      error instanceof Error && ('code' in error || error.name === 'AbortError' || error.cause !== undefined)
    return isFromNetwork ? networkFailure(error, this.#url, stage) : error
  }

  readonly #giveUp = (): void => {
    this.#timedOut = true
    this.#request.destroy(new Error('nothing moved'))
  }
}

function insecureUrl(url: URL): CausewayError {
  return new CausewayError('http/insecure-url', {
    details: { scheme: url.protocol.replace(':', ''), host: url.host },
  })
}
