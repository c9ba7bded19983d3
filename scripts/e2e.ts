import { buildOwnHelper } from './build-helper'
import { missingElectron } from './electron-runtime'
import { answerHelp } from './help'
import { runInPrivateSession } from './private-session'
import { exitWith, run } from './program'
import { setUp } from './set-up'

/** `npm run test:e2e`: builds the app, and runs end-to-end tests of it. */

answerHelp(`Usage: npm run test:e2e [-- [files and options of Playwright]]

Builds the app and the helper, and runs all end-to-end tests, or those of the given files, such as e2e/login.e2e.ts. On Linux
they run in a desktop session of their own, with a display that nobody sees, so that nothing of yours is touched.`)

await exitWith(async () => {
  await setUp(['tunnel', 'helper', 'keyStore', 'window', 'browser'])
  const why = await missingElectron()
  if (why !== undefined) throw new Error(`There is no Electron runtime here. ${why}.`)
  if (!(await buildOwnHelper())) console.log('Tests of the helper are left out, because Go is not installed.')
  const built = await run(['electron-vite', 'build', '--logLevel', 'warn'])
  if (built !== 0) return built
  const tests = ['npx', '--no-install', 'playwright', 'test', ...process.argv.slice(2)]
  return runInPrivateSession(tests, { display: true })
})
