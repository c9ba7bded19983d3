import { execFile } from 'node:child_process'
import { after } from '../../timer'

const watcher = 'org.kde.StatusNotifierWatcher'
const property = 'IsStatusNotifierHostRegistered'

/** Programs that can query the session's D-Bus, with their arguments. */
const questions: readonly (readonly [string, readonly string[]])[] = [
  [
    'dbus-send',
    [
      '--session',
      '--print-reply=literal',
      '--reply-timeout=1500',
      `--dest=${watcher}`,
      '/StatusNotifierWatcher',
      'org.freedesktop.DBus.Properties.Get',
      `string:${watcher}`,
      `string:${property}`,
    ],
  ],
  [
    'gdbus',
    [
      ...[
        'call',
        '--session',
        '--timeout',
        '2',
        '--dest',
        watcher,
        '--object-path',
        '/StatusNotifierWatcher',
      ],
      ...['--method', 'org.freedesktop.DBus.Properties.Get', watcher, property],
    ],
  ],
  ['busctl', ['--user', '--timeout=2', 'get-property', watcher, '/StatusNotifierWatcher', watcher, property]],
]

/**
 * Returns true if the desktop has a tray. Not every Linux desktop does, and without one users couldn't find the app again:
 * there it asks D-Bus for a StatusNotifierItem host, and returns false if the query fails.
 */
export async function hasTray(platform: NodeJS.Platform): Promise<boolean> {
  if (platform !== 'linux') return true
  for (const [program, args] of questions) {
    const answer = await ask(program, args)
    if (answer !== 'no such program') return /\btrue\b/.test(answer)
  }
  return false
}

function ask(program: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    const running = execFile(program, [...args], (error, stdout) => {
      stop()
      if (error !== null && 'code' in error && error.code === 'ENOENT') resolve('no such program')
      else resolve(error === null ? stdout : '')
    })
    // Another process may keep its output open, for whose end execFile's own limit waits.
    const stop = after(3000, () => {
      running.kill('SIGKILL')
      running.stdout?.destroy()
      running.stderr?.destroy()
      running.unref()
      resolve('')
    })
  })
}
