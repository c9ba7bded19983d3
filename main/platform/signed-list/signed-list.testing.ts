import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The fault of a signature. */
export interface SigningOptions {
  readonly algorithm?: 'Ed' | 'ED'
  /** The trusted comment. */
  readonly comment?: string
}

/** Signs files as minisign does, with Node's own BLAKE2b: not the code that is tested. */
export class TestSigner {
  readonly #key: KeyObject
  readonly #raw: Buffer
  readonly #id: Buffer

  constructor(id: Buffer = randomBytes(8)) {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519')
    this.#key = privateKey
    this.#raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
    this.#id = id
  }

  get id(): Buffer {
    return this.#id
  }

  /** As `minisign -G` prints it. */
  get publicKey(): string {
    return Buffer.concat([Buffer.from('Ed'), this.#id, this.#raw]).toString('base64')
  }

  sign(content: string, { algorithm = 'ED', comment = '' }: SigningOptions = {}): string {
    const signed =
      algorithm === 'ED' ? createHash('blake2b512').update(content).digest() : Buffer.from(content)
    const signature = sign(null, signed, this.#key)
    return [
      'untrusted comment: signature of a test',
      Buffer.concat([Buffer.from(algorithm), this.#id, signature]).toString('base64'),
      `trusted comment: ${comment}`,
      sign(null, Buffer.concat([signature, Buffer.from(comment)]), this.#key).toString('base64'),
      '',
    ].join('\n')
  }
}

/** A list's trusted comment. */
export function commentFor(file: string, timestamp: number): string {
  return `timestamp:${timestamp}\tfile:${file}\thashed`
}

/** A server of both lists, as they are now; without a signer they are as signed last. */
export class TestLists {
  readonly signer = new TestSigner()
  readonly origin: string
  readonly requests: { readonly path: string; readonly since: string | undefined }[] = []
  readonly #server: Server
  readonly #files = new Map<string, { readonly text: string; readonly lastModified: string }>()
  /** Answers that replace those for each file. */
  status: number | undefined

  private constructor(server: Server, origin: string) {
    this.#server = server
    this.origin = origin
  }

  /** On a free port, with lists that hold nothing. */
  static async start(): Promise<TestLists> {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const lists = new TestLists(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    server.on('request', (request, response) => {
      const path = request.url ?? ''
      const since = request.headers['if-modified-since']
      lists.requests.push({ path, since })
      const file = lists.#files.get(path)
      if (lists.status !== undefined || file === undefined) {
        response.writeHead(lists.status ?? 404).end()
      } else if (since === file.lastModified) {
        response.writeHead(304).end()
      } else {
        response.writeHead(200, { 'last-modified': file.lastModified }).end(file.text)
      }
    })
    lists.publish(1, [], [])
    return lists
  }

  get url(): string {
    return `${this.origin}/v2/`
  }

  /** Publishes both lists, signed. */
  publish(
    v: number,
    servers: readonly object[],
    organizations: readonly object[],
    {
      timestamp = v,
      signer = this.signer,
      ...signing
    }: SigningOptions & { timestamp?: number; signer?: TestSigner } = {},
  ): void {
    this.#put('server_list.json', JSON.stringify({ v, server_list: servers }), v, timestamp, signer, signing)
    this.#put(
      'organization_list.json',
      JSON.stringify({ v, organization_list: organizations }),
      v,
      timestamp,
      signer,
      signing,
    )
  }

  #put(
    name: string,
    text: string,
    v: number,
    timestamp: number,
    signer: TestSigner,
    signing: SigningOptions,
  ): void {
    const lastModified = new Date(Date.UTC(2026, 0, 1) + v * 1000).toUTCString()
    const signature = signer.sign(text, { comment: commentFor(name, timestamp), ...signing })
    this.#files.set(`/v2/${name}`, { text, lastModified })
    this.#files.set(`/v2/${name}.minisig`, { text: signature, lastModified })
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}
