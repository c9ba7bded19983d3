import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { type ConnectionState, connectionState } from '../../contract/connection'
import { errorReport } from '../../contract/error-codes'
import { CausewayError } from '../errors'
import { runningProgram } from '../platform/autostart/app-program'
import { cancelledStatus } from './exit-status'

/** Connects in a separate process, which outlives this one (docs/terminal.md, `connect --detach`). */
export interface BackgroundOptions {
  /** Time to wait for the connection, in milliseconds; default: as long as the attempt takes. */
  readonly waitMs?: number
  readonly signal: AbortSignal
  /** Called with each state until the connection is up. */
  readonly onState: (state: ConnectionState) => void
}

/** The variable of the hidden option `--background`, which takes precedence over `--detach`. */
export const backgroundVariable = 'CAUSEWAY_BACKGROUND'

/** A message of the process in the background to the one that waits for it. */
const message = z.union([z.object({ state: connectionState }), z.object({ error: errorReport })])
type Message = z.infer<typeof message>

/**
 * Starts `connect` with the arguments of this command in the background, and relays what it says until it's connected.
 * Returns `disconnected` if the attempt was given up. Throws the error that it failed with, and `connection/not-yet-connected`
 * after `waitMs`; the other process keeps trying. An aborted signal ends the other process.
 */
export async function connectInBackground(options: BackgroundOptions): Promise<'connected' | 'disconnected'> {
  if (options.signal.aborted) return 'disconnected'
  // The same command again; the environment tells it that it is the one in the background.
  const { program, env } = sameCommand(process)
  const [file, ...words] = program
  const { execa } = await import('execa')
  const child = execa(file, words, {
    env: { ...env, [backgroundVariable]: '1' },
    detached: true,
    cleanup: false,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    buffer: false,
    reject: false,
    windowsHide: true,
  })
  child.stderr.pipe(process.stderr, { end: false })
  const end = () => void child.kill('SIGTERM')
  options.signal.addEventListener('abort', end, { once: true })
  const waiting = new AbortController()
  const firstMessage = firstEnd(child, options.onState)
  try {
    return await Promise.race([
      firstMessage,
      child.then(async ({ exitCode }): Promise<'disconnected'> => {
        // Its last message may arrive after its end.
        if (child.connected) await once(child, 'disconnect')
        // A process that is only just starting ends by the signal itself.
        if (exitCode !== 0 && exitCode !== cancelledStatus && !options.signal.aborted)
          throw new CausewayError('internal/unexpected', { details: { kind: 'background' } })
        return 'disconnected'
      }),
      ...(options.waitMs === undefined ? [] : [giveUpAfter(options.waitMs, waiting.signal)]),
    ])
  } finally {
    waiting.abort()
    options.signal.removeEventListener('abort', end)
    letGo(child)
  }
}

/** Returns what starts this command again. Packages for Linux run it in Electron's Node mode, which main/cli.ts leaves. */
export function sameCommand({
  execPath,
  execArgv,
  argv,
  env,
  versions,
  type,
}: Pick<NodeJS.Process, 'execPath' | 'execArgv' | 'argv' | 'env'> & {
  readonly versions: { readonly electron?: string }
  /** `browser` in the main process of an Electron app. */
  readonly type?: string
}): {
  readonly program: readonly [string, ...string[]]
  readonly env: Readonly<Record<string, string | undefined>>
} {
  if (versions.electron === undefined || type !== undefined)
    return { program: [execPath, ...execArgv, ...argv.slice(1)], env: {} }
  // An AppImage is only mounted as long as the process that it started.
  const [image] = runningProgram({ execPath, env }, undefined)
  if (image !== execPath) return { program: [image, ...argv.slice(2)], env: {} }
  const authorities = env.NODE_EXTRA_CA_CERTS
  return {
    program: [execPath, ...argv.slice(1)],
    env: {
      ELECTRON_RUN_AS_NODE: '1',
      CAUSEWAY_NODE_EXTRA_CA_CERTS: authorities,
    },
  }
}

/** Resolves once the other process is connected; rejects with the error that ends it. */
function firstEnd(child: ChildProcess, onState: (state: ConnectionState) => void): Promise<'connected'> {
  return new Promise((resolve, reject) => {
    child.on('message', (received) => {
      const { data } = message.safeParse(received)
      if (data === undefined) return
      if ('error' in data) {
        reject(CausewayError.fromReport(data.error))
        return
      }
      onState(data.state)
      if (data.state.state === 'connected') resolve('connected')
    })
  })
}

async function giveUpAfter(milliseconds: number, signal: AbortSignal): Promise<never> {
  await delay(milliseconds, undefined, { signal })
  throw new CausewayError('connection/not-yet-connected')
}

/** Notifies the process that waits for this one, if it still runs. */
export function tellWaitingProcess(message: Message): boolean {
  if (!process.connected || process.send === undefined) return false
  process.send(message, undefined, undefined, () => undefined)
  return true
}

/** Allows this process to end while the other one runs. */
function letGo(child: ChildProcess): void {
  if (child.connected) child.disconnect()
  child.stderr?.destroy()
  child.unref()
}
