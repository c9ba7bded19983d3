import { parseArgs } from 'node:util'
import { execa } from 'execa'
import { hasDisplay, missingElectron } from './electron-runtime'
import { answerHelp } from './help'
import { runInPrivateSession } from './private-session'
import { exitWith } from './program'
import { setUp } from './set-up'

const help = `Usage: npm run demo [-- [--window] [--api 2|3]]

Shows the main features of Causeway against its mock server, with a real OpenVPN, and reports each step. It needs no
service and leaves your settings alone. It takes about half a minute.

  --window   in the window, instead of the terminal
  --api 2|3  the version of the portal API that the mock server plays (default: 2)`

/**
 * `npm run demo`: shows the main features with default settings, in the terminal or, with `--window`, in the window.
 * Uses its own desktop session and data directory, and leaves the user's alone.
 */
async function demo(): Promise<number> {
  const { values } = parseArgs({
    options: {
      window: { type: 'boolean' },
      api: { type: 'string', default: '2' },
    },
  })
  if (values.api !== '2' && values.api !== '3') throw new Error('--api must be 2 or 3.')
  const inWindow = values.window === true
  await setUp(inWindow ? ['tunnel', 'keyStore', 'window'] : ['tunnel', 'keyStore'])
  if (inWindow) {
    const why = await missingElectron()
    if (why !== undefined) throw new Error(`There is no Electron runtime here. ${why}.`)
  }
  await execa('electron-vite', ['build', '--logLevel', 'warn'], {
    preferLocal: true,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const display = inWindow && !hasDisplay()
  const script = inWindow ? 'scripts/demo/window.ts' : 'scripts/demo/terminal.ts'
  return runInPrivateSession([process.execPath, '--import', 'tsx', script, values.api], { display })
}

answerHelp(help)
await exitWith(demo)
