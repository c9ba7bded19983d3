import type { FileHead, FileTransport } from '../../platform/http/file-transport'
import { imageKind, isOfReasonableSize, type ImageKind } from './image-type'

export interface FetchedImage {
  readonly type: ImageKind['type']
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** Fetches a picture; returns undefined if there is none that may be shown. Never throws. */
export type FetchImage = (
  image: { readonly imageUrl: string; readonly baseUrl: string },
  signal?: AbortSignal,
) => Promise<FetchedImage | undefined>

interface FetchImageOptions {
  readonly transport: Pick<FileTransport, 'get'>
  /** For the whole exchange, redirects included; default 15 000. */
  readonly timeoutMs?: number | undefined
}

const maxBytes = 5 * 1024 * 1024

/**
 * Creates a function that fetches a picture named by the service at `baseUrl`: over https, without cookies or anything else
 * that identifies the user, at most 5 MB, only PNG, JPEG, GIF, WebP and AVIF by their bytes, and only from hosts that the
 * service may send us to (`picture` in contract/safe-url.ts).
 */
export function createFetchImage({ transport, timeoutMs = 15_000 }: FetchImageOptions): FetchImage {
  return async ({ imageUrl, baseUrl }, signal) => {
    const deadline = AbortSignal.timeout(timeoutMs)
    try {
      const bytes = await transport.get(
        new URL(imageUrl),
        {
          namedBy: new URL(baseUrl),
          purpose: 'picture',
          headers: { accept: 'image/avif,image/webp,image/png,image/jpeg,image/gif' },
          signal: signal === undefined ? deadline : AbortSignal.any([signal, deadline]),
        },
        bytesOf,
      )
      return bytes && checked(bytes)
    } catch {
      // The page shows an empty space instead of a picture that failed to load.
      return undefined
    }
  }
}

async function bytesOf(
  { status, headers }: FileHead,
  body: AsyncIterable<Uint8Array>,
): Promise<Buffer | undefined> {
  if (status !== 200 || (headers.get('content-encoding') ?? 'identity') !== 'identity') return undefined
  if (Number(headers.get('content-length')) > maxBytes) return undefined
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of body) {
    length += part.length
    if (length > maxBytes) return undefined
    parts.push(part)
  }
  return Buffer.concat(parts)
}

function checked(bytes: Buffer): FetchedImage | undefined {
  const kind = imageKind(bytes)
  if (kind === undefined || !isOfReasonableSize(kind)) return undefined
  return { type: kind.type, bytes: new Uint8Array(bytes) }
}
