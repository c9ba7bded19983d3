import { execa } from 'execa'
import { missingElectron } from './electron-runtime'

/** `npm start`: builds the app and opens it; arguments go to the app. */

const why = await missingElectron()
if (why === undefined) {
  const options = { stdio: 'inherit', preferLocal: true, reject: false } as const
  const build = await execa('electron-vite', ['build', '--logLevel', 'warn'], options)
  // Chromium refuses to start its sandbox as root.
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const app = build.failed
    ? build
    : await execa('electron', ['.', ...sandbox, ...process.argv.slice(2)], options)
  process.exitCode = app.exitCode ?? 1
} else {
  console.error(`There is no Electron runtime here. ${why}.`)
  process.exitCode = 1
}
