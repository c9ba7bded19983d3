import { app } from 'electron'
import { join } from 'node:path'
import { registerAppScheme, serveRenderer } from './shell/app-protocol'
import { openWindow, loadPage } from './shell/window'
registerAppScheme()
const out = import.meta.dirname
await app.whenReady()
serveRenderer(join(out, '../renderer'))
const w = openWindow(join(out, '../preload/index.cjs'))
await loadPage(w)
