import type { App } from './app'

/** Adds routes with their own hooks and body parsers. */
export function addPart(app: App, add: (part: App) => void): void {
  void app.register((part, _options, done) => {
    add(part)
    done()
  })
}
