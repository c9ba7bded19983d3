import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'

export interface PrivateSession {
  /** Puts the command behind what starts the session around it. */
  wrap(command: readonly string[]): [string, ...string[]]
  readonly env: Readonly<Record<string, string>>
  remove(): Promise<void>
}

const busCall = 'dbus-send --session --print-reply=literal --dest=org.freedesktop.DBus / org.freedesktop.DBus'

/** Where each session begins to look for a free display: two that look at once would take the same. */
let nextDisplay = 99

/**
 * A desktop session that leaves the user's own alone: on Linux a D-Bus of its own with an unlocked, empty
 * gnome-keyring, and a virtual display where `display` asks for one; elsewhere the system's.
 */
export async function privateSession({ display }: { display: boolean }): Promise<PrivateSession> {
  if (process.platform !== 'linux') {
    return { wrap: ([command = '', ...rest]) => [command, ...rest], env: {}, remove: () => Promise.resolve() }
  }
  const folder = await mkdtemp(join(tmpdir(), 'causeway-session-'))
  const env = {
    XDG_DATA_HOME: join(folder, 'data'),
    XDG_CONFIG_HOME: join(folder, 'config'),
    XDG_CACHE_HOME: join(folder, 'cache'),
    XDG_RUNTIME_DIR: join(folder, 'run'),
  }
  for (const directory of Object.values(env)) await mkdir(directory, { mode: 0o700 })
  // It holds no output open, and it has to be on the bus before the bus ends: else it would never know.
  const isThere = `${busCall}.NameHasOwner string:org.freedesktop.secrets 2>/dev/null | grep -q true`
  const unlock = [
    'printf "\\n" | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1 3>&-',
    `for attempt in $(seq 100); do ${isThere} && break; sleep 0.05; done`,
  ].join('; ')
  // The D-Bus daemon's remarks about its own limits help nobody: only the command gets the standard error, through 3.
  const inside = `${unlock}; exec "$@" 2>&3 3>&-`
  const bus: [string, ...string[]] = [
    'sh',
    '-c',
    'exec dbus-run-session -- sh -c "$@" 3>&2 2>/dev/null',
    'sh',
    inside,
    'sh',
  ]
  const screen = display
    ? ['xvfb-run', '-n', String(nextDisplay), '--auto-servernum', '--server-args=-screen 0 1280x900x24']
    : []
  nextDisplay += 20
  return {
    wrap: (command) => [...bus, ...screen, ...command],
    env,
    remove: async () => {
      // The keyring daemon outlives its bus by a moment and may write once more.
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
    },
  }
}

/** Runs a command in a private session with this terminal as its own; resolves with its exit status. */
export async function runInPrivateSession(
  command: readonly string[],
  options: { readonly display: boolean; readonly env?: Readonly<Record<string, string>> },
): Promise<number> {
  const session = await privateSession(options)
  try {
    const [program, ...args] = session.wrap(command)
    const { exitCode } = await execa(program, args, {
      stdio: 'inherit',
      reject: false,
      env: { ...session.env, ...options.env },
    })
    return exitCode ?? 1
  } finally {
    await session.remove()
  }
}
