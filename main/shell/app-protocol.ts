import { app, protocol } from 'electron'
import { answerFromRenderer } from './renderer-files'

/** Makes `app://` a scheme of its own with an origin; to be called before the app is ready. */
export function registerAppScheme(): void {
  // Some runtimes load the app after they are ready, when this throws. The window works without it: its origin is
  // opaque then, and nothing in the renderer needs an origin.
  if (app.isReady()) return
  protocol.registerSchemesAsPrivileged([{ scheme: 'app', privileges: { standard: true, secure: true } }])
}

/** Serves the built renderer, and nothing else, under `app://causeway/`; to be called once the app is ready. */
export function serveRenderer(root: string): void {
  protocol.handle('app', (request) => answerFromRenderer(root, request))
}
