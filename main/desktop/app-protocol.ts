import { app, protocol } from 'electron'
import { extname } from 'node:path'
import type { FetchedImage } from '../services/news/fetch-image'
import { logDefect } from './defect'
import { answerWithImage, requestedImage } from './image-protocol'
import { answerFromRenderer, type PageAnswer, type PageRequest } from './renderer-files'

/** Registers `app://` as a scheme with an origin. Call it before the app is ready. */
export function registerAppScheme(): void {
  // Some runtimes load the app only after they are ready, when this call would throw. Without it the window's origin is
  // opaque, and nothing in the renderer needs an origin.
  if (app.isReady()) return
  protocol.registerSchemesAsPrivileged([
    // `codeCache`: the script isn't compiled at each start.
    { scheme: 'app', privileges: { standard: true, secure: true, codeCache: true } },
  ])
}

/**
 * Serves only the built renderer and the pictures with ids from main under `app://causeway/`. Call it once the app is ready.
 * `onComplete` is called when the page has its script and styles.
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
  // Its successor loads fetch for the first request, which takes a tenth of the start-up time (docs/startup-time.md).
  // oxlint-disable-next-line typescript/no-deprecated
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
