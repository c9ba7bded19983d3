import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'

interface PrivateSession {
  /** Returns the command that starts the session and runs the given command in it. */
  wrap(command: readonly string[]): [string, ...string[]]
  readonly env: Readonly<Record<string, string>>
  remove(): Promise<void>
}

const busCall = 'dbus-send --session --print-reply=literal --dest=org.freedesktop.DBus / org.freedesktop.DBus'

/** First display number that the next session tries, so that two sessions started at once do not pick the same. */
let nextDisplay = 99

/**
 * Creates a desktop session separate from the user's. On Linux it has its own D-Bus with an unlocked, empty
 * gnome-keyring and, if `display` is true, a virtual display. Elsewhere it is the system's session.
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
  // The keyring keeps no output open. It must join the bus before the bus ends, or it would never exit.
  const isOnBus = `${busCall}.NameHasOwner string:org.freedesktop.secrets 2>/dev/null | grep -q true`
  const unlock = [
    'printf "\\n" | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1 3>&-',
    `for attempt in $(seq 100); do ${isOnBus} && break; sleep 0.05; done`,
  ].join('; ')
  // Hides the D-Bus daemon's messages about its own limits: only the command gets the standard error, through
  // descriptor 3.
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
      // The keyring daemon outlives its bus briefly and may write once more.
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
    },
  }
}

/** Runs a command in a private session on this terminal; returns its exit status. */
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
