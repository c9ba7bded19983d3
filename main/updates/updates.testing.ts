import { createHash } from 'node:crypto'
import type { OutgoingHttpHeaders, RequestListener } from 'node:http'
import { startTestServer, type TestServer } from '../platform/http/test-server.testing'
import { commentFor, type SigningOptions, TestSigner } from '../platform/signed-list/signed-list.testing'
import type { ConfiguredSource } from '../platform/signed-list/source'

/** A server of a signed feed and of files, until the test ends. */
export interface TestFeed {
  readonly source: ConfiguredSource
  readonly url: (path: string) => URL
  /** The paths that were asked for, each with the condition of the request. */
  readonly requests: () => { readonly path: string | undefined; readonly condition: string | undefined }[]
  /** Publishes a feed with these fields, signed with its `v` as the time. */
  publish(feed: FeedFields, signing?: SigningOptions & { readonly signer?: TestSigner }): void
  /** Serves bytes at a path. */
  put(path: string, content: Buffer): void
  /** Answers everything with this status and these headers, until `recover`. */
  fail(status: number, headers?: OutgoingHttpHeaders): void
  recover(): void
  /** Sends files up to this many bytes and then nothing more. */
  stallAfter(bytes: number): void
}

export type FeedFields = Readonly<Record<string, unknown>> & { readonly v: number; readonly version: string }

export const expires = '2027-01-01T00:00:00Z'

export function sha512(content: Buffer): string {
  return createHash('sha512').update(content).digest('base64')
}

export async function startTestFeed(): Promise<TestFeed> {
  const signer = new TestSigner()
  const files = new Map<string, Buffer>()
  let failure: { readonly status: number; readonly headers: OutgoingHttpHeaders } | undefined
  let maxBytes = Infinity
  const answer: RequestListener = (request, response) => {
    const content = files.get((request.url ?? '').replace(/\?.*/, ''))
    if (failure !== undefined || content === undefined) {
      response.writeHead(failure?.status ?? 404, failure?.headers).end()
      return
    }
    const etag = `"${createHash('sha256').update(content).digest('hex').slice(0, 16)}"`
    if (request.headers['if-none-match'] === etag) {
      response.writeHead(304).end()
      return
    }
    response.writeHead(200, { etag, 'content-length': content.length })
    if (content.length <= maxBytes) response.end(content)
    else response.write(content.subarray(0, maxBytes))
  }
  const server: TestServer = await startTestServer(answer)
  return {
    source: { url: server.url('/feed/').href, keys: signer.publicKey, legacy: 'refuse' },
    url: server.url,
    requests: () =>
      server.requests.map(({ url, headers }) => ({ path: url, condition: headers['if-none-match'] })),
    publish: (feed, { signer: by = signer, ...signing } = {}) => {
      const json = JSON.stringify({ date: '2026-11-20', expires, ...feed })
      files.set('/feed/updates.json', Buffer.from(json))
      const comment = commentFor('updates.json', feed.v)
      files.set('/feed/updates.json.minisig', Buffer.from(by.sign(json, { comment, ...signing })))
    },
    put: (path, content) => {
      files.set(path, content)
    },
    fail: (status, headers = {}) => {
      failure = { status, headers }
    },
    recover: () => {
      failure = undefined
    },
    stallAfter: (bytes) => {
      maxBytes = bytes
    },
  }
}
