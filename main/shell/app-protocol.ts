import { app, protocol } from 'electron'
import type { FetchedImage } from '../content/fetch-image'
import { answerWithImage, requestedImage } from './image-protocol'
import { answerFromRenderer } from './renderer-files'

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
 * called once the app is ready. `onScript` is called when the page gets its script.
 */
export function serveRenderer(
  root: string,
  image: (id: string) => Promise<FetchedImage | undefined>,
  onScript: () => void,
): void {
  protocol.handle('app', async (request) => {
    const id = requestedImage(request)
    if (id !== undefined) return answerWithImage(await image(id))
    const answer = await answerFromRenderer(root, request)
    if (request.url.endsWith('.js')) onScript()
    return answer
  })
}
