import { app, protocol } from 'electron'
import { extname } from 'node:path'
import type { FetchedImage } from '../../services/news/fetch-image'
import { logDefect } from '../defect'
import { answerWithImage, requestedImage } from './image-protocol'
import { answerFromRenderer, loadCrypto, type PageAnswer, type PageRequest } from './renderer-files'

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

/** The kinds of files that a page loads. */
type PageFile = '.js' | '.css'

/**
 * Serves only the built renderer and the pictures with ids from main under `app://causeway/`. Call it once the app is ready.
 *
 * @returns a function that resolves once the page has got a file of each kind
 */
export function serveRenderer(
  root: string,
  image: (id: string) => Promise<FetchedImage | undefined>,
): (...kinds: readonly PageFile[]) => Promise<void> {
  const served = new Set<string>()
  const waiting: (() => void)[] = []

  void loadCrypto()

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
        served.add(extname(request.url))
        for (const look of waiting) look()
      },
      (error: unknown) => {
        logDefect(error)
        callback({ statusCode: 500 })
      },
    )
  })
  return (...kinds) =>
    new Promise((resolve) => {
      const look = () => {
        if (kinds.every((kind) => served.has(kind))) resolve()
      }
      waiting.push(look)
      look()
    })
}
