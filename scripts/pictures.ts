import { execa } from 'execa'
import { missingElectron } from './electron-runtime'
import { answerHelp } from './help'
import { runInPrivateSession } from './private-session'
import { setUp } from './set-up'

/** `npm run pictures`: makes the pictures for the documentation from the real window. */

answerHelp('Usage: npm run pictures\n\nRetakes the pictures in docs/pictures in the real window.')
await setUp(['tunnel', 'keyStore', 'window', 'browser'])
const why = await missingElectron()
if (why === undefined) {
  await execa('electron-vite', ['build', '--logLevel', 'warn'], { preferLocal: true, stdio: 'inherit' })
  process.exitCode = await runInPrivateSession(['npx', '--no-install', 'playwright', 'test', 'pictures'], {
    display: true,
    env: { CAUSEWAY_PICTURES: '1' },
  })
} else {
  console.error(`There is no Electron runtime here. ${why}.`)
  process.exitCode = 1
}
