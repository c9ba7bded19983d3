import type { App } from './app'

/** Adds routes with hooks and body parsers of their own, which do not reach the rest of the app. */
export function addPart(app: App, add: (part: App) => void): void {
  void app.register((part, _options, done) => {
    add(part)
    done()
  })
}
