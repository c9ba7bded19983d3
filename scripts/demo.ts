import { execa } from 'execa'
import { missingElectron } from './electron-runtime'
import { runInPrivateSession } from './private-session'
import { setUp } from './set-up'

/**
 * `npm run demo`: the main job on built-in defaults, in the terminal, or with `--window` in the window. Runs in a
 * desktop session and a data directory of its own, so that nothing of the user's is touched.
 */
async function demo(): Promise<number> {
  const inWindow = process.argv.includes('--window')
  await setUp(inWindow ? ['tunnel', 'keyStore', 'window'] : ['tunnel', 'keyStore'])
  if (inWindow) {
    const why = await missingElectron()
    if (why !== undefined) throw new Error(`There is no Electron runtime here. ${why}.`)
  }
  await execa('electron-vite', ['build', '--logLevel', 'warn'], {
    preferLocal: true,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const display = inWindow && (process.env.DISPLAY ?? process.env.WAYLAND_DISPLAY ?? '') === ''
  const script = inWindow ? 'scripts/demo/window.ts' : 'scripts/demo/terminal.ts'
  return runInPrivateSession([process.execPath, '--import', 'tsx', script], { display })
}

try {
  process.exitCode = await demo()
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
