import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server of a feed, signed as minisign does, and of the AppImage that it names. */
export interface UpdateFeed {
  /** The address of the feed, and its key. */
  readonly env: Readonly<Record<string, string>>
  /** The paths that were asked for. */
  readonly requests: readonly string[]
  /** Replaces a file after the feed was signed. */
  replace(path: string, content: Buffer): void
  close(): Promise<void>
}

export async function startUpdateFeed(version: string, image: Buffer): Promise<UpdateFeed> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const id = randomBytes(8)
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
  const feed = Buffer.from(
    JSON.stringify({
      v: 1,
      version,
      date: '2026-11-20',
      expires: new Date(Date.now() + 86_400_000).toISOString(),
      notes: 'https://example.org/notes',
      files: {
        [`AppImage-${process.arch}`]: {
          file: 'new.AppImage',
          sha512: createHash('sha512').update(image).digest('base64'),
          size: image.length,
        },
      },
    }),
  )
  const signature = sign(null, createHash('blake2b512').update(feed).digest(), privateKey)
  const comment = `timestamp:${Math.floor(Date.now() / 1000)}\tfile:updates.json\thashed`
  const files = new Map([
    ['/updates.json', feed],
    [
      '/updates.json.minisig',
      Buffer.from(
        [
          'untrusted comment: signature of a test',
          Buffer.concat([Buffer.from('ED'), id, signature]).toString('base64'),
          `trusted comment: ${comment}`,
          sign(null, Buffer.concat([signature, Buffer.from(comment)]), privateKey).toString('base64'),
          '',
        ].join('\n'),
      ),
    ],
    ['/new.AppImage', image],
  ])
  const requests: string[] = []
  const server = createServer((request, response) => {
    const path = (request.url ?? '').replace(/\?.*/, '')
    requests.push(path)
    const content = files.get(path)
    response.writeHead(content === undefined ? 404 : 200).end(content)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    env: {
      CAUSEWAY_UPDATES: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
      CAUSEWAY_UPDATES_KEY: Buffer.concat([Buffer.from('Ed'), id, raw]).toString('base64'),
    },
    requests,
    replace: (path, content) => {
      files.set(path, content)
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
