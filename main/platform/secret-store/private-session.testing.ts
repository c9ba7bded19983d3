import { execa } from 'execa'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import type { Outcome, Step } from './key-store-program.testing'

/**
 * The session of a program: `unlocked` and `locked` have a real GNOME Keyring on a private D-Bus session (`locked` needs an
 * earlier unlocked run, which creates the keyring), `empty` a service without a keyring, `bare` a D-Bus session without a
 * secret service, `none` no session at all.
 */
type Session = 'unlocked' | 'locked' | 'empty' | 'bare' | 'none'

const keyringPid =
  'dbus-send --session --print-reply=literal --dest=org.freedesktop.DBus / org.freedesktop.DBus.GetConnectionUnixProcessID string:org.freedesktop.secrets'
const startKeyring = {
  unlocked: 'printf "\\n" | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1',
  locked: 'gnome-keyring-daemon --start --components=secrets >/dev/null 2>&1',
}
// The daemon moves to the background before it is reachable.
const withKeyring = (start: string): string =>
  `${start}; until ANSWER=$(${keyringPid} 2>/dev/null); do sleep 0.02; done; KEYRING_PID=\${ANSWER##* } "$@"`

const shellOf: Record<Exclude<Session, 'none'>, string> = {
  unlocked: withKeyring(startKeyring.unlocked),
  locked: withKeyring(startKeyring.locked),
  empty: withKeyring(startKeyring.locked),
  bare: '"$@"',
}

/** Starts no services automatically, so that no prompt appears on the screen. */
const busConfiguration = (directory: string): string =>
  `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
   "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
  <busconfig><type>session</type><listen>unix:tmpdir=${directory}</listen><auth>EXTERNAL</auth>
  <policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy>
  </busconfig>`

/** A private home for a keyring, in a temporary directory. */
export class PrivateHome {
  readonly #directory: string

  private constructor(directory: string) {
    this.#directory = directory
  }

  static async make(): Promise<PrivateHome> {
    const directory = await mkdtemp(join(tmpdir(), 'causeway-keyring-'))
    for (const part of ['data', 'run', 'config']) await mkdir(join(directory, part), { mode: 0o700 })
    await writeFile(join(directory, 'bus.conf'), busConfiguration(directory))
    return new PrivateHome(directory)
  }

  async dispose(): Promise<void> {
    await rm(this.#directory, { recursive: true, force: true })
  }

  /** Runs these steps with the key store in a new process of this session. */
  async run(session: Session, steps: readonly Step[]): Promise<Outcome[]> {
    const program = [process.execPath, inject('programs').processes.keyStore]
    const command =
      session === 'none'
        ? program
        : ['dbus-run-session', '--config-file', join(this.#directory, 'bus.conf'), '--'].concat(
            ['sh', '-c', shellOf[session], 'sh'],
            program,
          )
    const { stdout } = await execa('timeout', ['-k', '2', '30', ...command], {
      input: JSON.stringify(steps),
      extendEnv: false,
      env: {
        PATH: process.env.PATH,
        HOME: this.#directory,
        XDG_DATA_HOME: join(this.#directory, 'data'),
        XDG_RUNTIME_DIR: join(this.#directory, 'run'),
        XDG_CONFIG_HOME: join(this.#directory, 'config'),
      },
    })
    return JSON.parse(stdout) as Outcome[]
  }
}
