import { app, protocol } from 'electron'
import type { FetchedImage } from '../content/fetch-image'
import { answerWithImage, requestedImage } from './image-protocol'
import { answerFromRenderer } from './renderer-files'

/** Makes `app://` a scheme of its own with an origin; to be called before the app is ready. */
export function registerAppScheme(): void {
  // Some runtimes load the app after they are ready, when this throws. The window works without it: its origin is
  // opaque then, and nothing in the renderer needs an origin.
  if (app.isReady()) return
  protocol.registerSchemesAsPrivileged([{ scheme: 'app', privileges: { standard: true, secure: true } }])
}

/**
 * Serves the built renderer, the pictures that main has given names to, and nothing else, under `app://causeway/`; to be
 * called once the app is ready.
 */
export function serveRenderer(
  root: string,
  images: { image(id: string): Promise<FetchedImage | undefined> },
): void {
  protocol.handle('app', async (request) => {
    const id = requestedImage(request)
    return id === undefined ? answerFromRenderer(root, request) : answerWithImage(await images.image(id))
  })
}
