import { hasDisplay, missingElectron } from './electron-runtime'
import { answerHelp } from './help'
import { run } from './program'

/** `npm start`: builds and opens the app; arguments go to the app. */

answerHelp(`Usage: npm start [-- options of the app]

Builds Causeway and opens its window. The options are those of the app, such as --data-dir DIR; this lists all of them:
  npm run cli -- --help

Environment:
  ELECTRON_OVERRIDE_DIST_PATH  the folder of an Electron runtime, if the one in node_modules can't be used`)

const why = await missingElectron()
if (why !== undefined) {
  console.error(`There is no Electron runtime here. ${why}.`)
  process.exitCode = 1
} else if (!hasDisplay()) {
  console.error(
    'There is no display here, so the window cannot open. Try the terminal command: npm run cli -- --help',
  )
  process.exitCode = 1
} else {
  // Chromium refuses to start its sandbox as root.
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  // Of another Electron program, such as an editor whose terminal this is: no window would open.
  Reflect.deleteProperty(process.env, 'ELECTRON_RUN_AS_NODE')
  process.exitCode =
    (await run(['electron-vite', 'build', '--logLevel', 'warn'])) ||
    (await run(['electron', '.', ...sandbox, ...process.argv.slice(2)]))
}
