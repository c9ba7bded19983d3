import { app, protocol } from 'electron'
import { extname } from 'node:path'
import type { FetchedImage } from '../services/news/fetch-image'
import { logDefect } from './defect'
import { answerWithImage, requestedImage } from './image-protocol'
import { answerFromRenderer, type PageAnswer, type PageRequest } from './renderer-files'

/** Makes `app://` a scheme of its own with an origin; to be called before the app is ready. */
export function registerAppScheme(): void {
  // Some runtimes load the app after they are ready, when this throws. The window works without it: its origin is
  // opaque then, and nothing in the renderer needs an origin.
  if (app.isReady()) return
  protocol.registerSchemesAsPrivileged([
    // The script is compiled once and not at each start.
    { scheme: 'app', privileges: { standard: true, secure: true, codeCache: true } },
  ])
}

/**
 * Serves the built renderer, the pictures that main has given names to, and nothing else, under `app://causeway/`; to be
 * called once the app is ready. `onComplete` is called when the page has got what it needs to be drawn.
 */
export function serveRenderer(
  root: string,
  image: (id: string) => Promise<FetchedImage | undefined>,
  onComplete: () => void,
): void {
  const awaited = new Set(['.js', '.css'])

  async function answer(request: PageRequest): Promise<PageAnswer> {
    const id = requestedImage(request)
    return id === undefined ? answerFromRenderer(root, request) : answerWithImage(await image(id))
  }
  // Its successor loads the whole of fetch for the page's first request, which is a tenth of the start (docs/startup-time.md).
  // eslint-disable-next-line @typescript-eslint/no-deprecated
  protocol.registerBufferProtocol('app', (request, callback) => {
    answer(request).then(
      (found) => {
        callback(found)
        awaited.delete(extname(request.url))
        if (awaited.size === 0) onComplete()
      },
      (error: unknown) => {
        logDefect(error)
        callback({ statusCode: 500 })
      },
    )
  })
}
