import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { missingElectron } from './electron-runtime'
import { answerHelp } from './help'
import { runInPrivateSession } from './private-session'
import { setUp } from './set-up'

/** `npm run pictures`: makes the pictures for the documentation from the real window, and contact sheets to look at. */

answerHelp(`Usage: npm run pictures [-- docs|sheets]

Takes pictures in the real window:

  docs    those in docs/pictures, which needs the rights for a tunnel
  sheets  contact sheets in pictures/, which Git ignores: every state in both themes, at 400, 880 and 1240 px, in
          English, German, Arabic and Japanese, and in forced colours. They take about 20 minutes.`)
const [what = ''] = process.argv.slice(2)
const files = { docs: 'pictures', sheets: 'contact-sheets' }[what] ?? '(pictures|contact-sheets)'
await setUp(['tunnel', 'keyStore', 'window', 'browser', 'fonts'])
const why = await missingElectron()
if (why === undefined) {
  await execa('electron-vite', ['build', '--logLevel', 'warn'], { preferLocal: true, stdio: 'inherit' })
  await rm(join(import.meta.dirname, '..', 'pictures'), { recursive: true, force: true })
  process.exitCode = await runInPrivateSession(
    ['npx', '--no-install', 'playwright', 'test', `/e2e/${files}[.]`],
    {
      display: true,
      env: { CAUSEWAY_PICTURES: '1' },
    },
  )
} else {
  console.error(`There is no Electron runtime here. ${why}.`)
  process.exitCode = 1
}
