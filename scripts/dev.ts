import { createRequire } from 'node:module'
import { parseArgs } from 'node:util'
import { execa } from 'execa'
import { z } from 'zod'
import { withMockServer, type AppEnvironment, type RunningMockServer } from './demo/run-demo'
import { hasDisplay, missingElectron } from './electron-runtime'
import { answerHelp } from './help'
import { exitWith } from './program'
import { setUp } from './set-up'

const help = `Usage: npm run dev [-- [--api 2|3] [-- options of the app]]

Opens the window beside the mock server, signed in, with Office Network to connect to. A change in renderer/ is shown at
once, one in main/ or contract/ restarts the app. Ctrl-C, or closing the window, ends everything. Your own Causeway,
its settings and the key store aren't touched.

  --api 2|3  the version of the portal API that the mock server plays (default: 2)`

/** Adds the mock server's service and signs in, with the terminal command from source. */
async function signIn(server: RunningMockServer, env: AppEnvironment): Promise<void> {
  for (const words of [['instance', 'add', server.instance], ['login']]) {
    await execa('tsx', ['main/cli.ts', '--secret-store', 'file', ...words], {
      env: { ...env },
      preferLocal: true,
      stdin: 'ignore',
    })
  }
}

/** Runs the app with hot reload until it ends; returns its exit status. */
async function runApp(env: AppEnvironment, options: readonly string[]): Promise<number> {
  // Chromium refuses to start its sandbox as root.
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const app = execa(
    'electron-vite',
    ['dev', '--watch', '--logLevel', 'warn', '--', ...sandbox, '--secret-store', 'file', ...options],
    {
      // Outside Electron, the electron package exports the path of the program.
      env: { ...env, ELECTRON_EXEC_PATH: z.string().parse(createRequire(import.meta.url)('electron')) },
      preferLocal: true,
      stdio: 'inherit',
      reject: false,
    },
  )
  // The app ends first, then the mock server. At Ctrl-C the terminal tells every process.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => app.kill(signal))
  return (await app).exitCode ?? 0
}

/** `npm run dev`: the window with hot reload, beside the mock server. */
async function dev(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: { api: { type: 'string', default: '2' } },
    allowPositionals: true,
  })
  if (values.api !== '2' && values.api !== '3') throw new Error('--api must be 2 or 3.')
  await setUp(['tunnel', 'window'])
  const why = await missingElectron()
  if (why !== undefined) throw new Error(`There is no Electron runtime here. ${why}.`)
  if (!hasDisplay()) throw new Error('There is no display here, so the window cannot open.')
  return withMockServer(values.api, async (server, env) => {
    console.log(
      `The mock server plays a VPN service at ${server.instance}, with OpenVPN (${server.tunnel.mode}).`,
    )
    if (server.tunnel.mode !== 'full')
      console.log('Connecting needs a device, for which there are not enough rights here.')
    await signIn(server, env)
    return runApp(env, positionals)
  })
}

answerHelp(help)
await exitWith(dev)
