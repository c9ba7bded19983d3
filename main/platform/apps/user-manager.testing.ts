import { execa } from 'execa'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** The user of the manager, who does not exist on the real computer and may move nobody else's processes. */
const managedUser = 20_000 + (process.pid % 20_000)

/**
 * Starts systemd for a user, with a bus and control groups of its own. As that user it can't touch other control groups. `$1`: an
 * empty folder; ends with standard input. The bus is that of dbus-user-session, but root may use it, too, as these tests do.
 */
const setUp = `
set -eu
mount --make-rprivate /
mkdir -p /run/systemd
mount -t tmpfs systemd /run/systemd
mkdir /run/systemd/system
umount -R -l /sys/fs/cgroup
mount -t cgroup2 groups /sys/fs/cgroup
{ cat /etc/passwd; echo 'causeway-managed:x:${managedUser}:${managedUser}::/:/bin/sh'; } >"$1/passwd"
mount --bind "$1/passwd" /etc/passwd
user=/sys/fs/cgroup/user.slice/user-${managedUser}.slice
service=$user/user@${managedUser}.service
mkdir -p "$service" "$service/session" "$1/.config/systemd/user/sockets.target.wants"
cat >"$1/bus.conf" <<'END'
<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN" "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:tmpdir=/tmp</listen>
  <policy context="default">
    <allow user="*"/>
    <allow own="*"/>
    <allow send_destination="*"/>
    <allow receive_type="method_call"/>
    <allow receive_type="method_return"/>
    <allow receive_type="error"/>
    <allow receive_type="signal"/>
  </policy>
</busconfig>
END
cat >"$1/.config/systemd/user/dbus.socket" <<END
[Socket]
ListenStream=$1/bus
END
cat >"$1/.config/systemd/user/dbus.service" <<END
[Unit]
Requires=dbus.socket
[Service]
ExecStart=dbus-daemon --config-file=$1/bus.conf --address=systemd: --nofork --nopidfile
END
ln -s ../dbus.socket "$1/.config/systemd/user/sockets.target.wants/dbus.socket"
chown -R ${managedUser} "$1" "$service"
export XDG_RUNTIME_DIR="$1" HOME="$1" DBUS_SESSION_BUS_ADDRESS="unix:path=$1/bus"
(
  echo 0 >"$service/cgroup.procs"
  exec setpriv --reuid=${managedUser} --regid=${managedUser} --clear-groups -- /usr/lib/systemd/systemd --user --unit=sockets.target
) </dev/null >/dev/null 2>&1 &
manager=$!
clean() {
  kill -s KILL $manager || true
  echo 1 >"$service/cgroup.kill"
  wait $manager || true
  until find "$user" -depth -type d -exec rmdir {} + 2>/dev/null; do sleep 0.05; done
  rmdir --ignore-fail-on-non-empty /sys/fs/cgroup/user.slice
}
trap clean EXIT
until dbus-send --session --print-reply --dest=org.freedesktop.systemd1 /org/freedesktop/systemd1 org.freedesktop.DBus.Peer.Ping >/dev/null 2>&1; do
  kill -0 $manager
  sleep 0.05
done
echo ready
read -r _ || true
`

const environment = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' }

/** A real systemd of a user, in control groups of its own. Needs root on Linux, with namespaces and systemd's programs. */
export class ManagedUser {
  /** The address of its bus. */
  readonly bus: string
  readonly #folder: string
  readonly #holder: ReturnType<typeof hold>

  private constructor(folder: string, holder: ReturnType<typeof hold>) {
    this.#folder = folder
    this.#holder = holder
    this.bus = `unix:path=${join(folder, 'bus')}`
  }

  static async make(): Promise<ManagedUser> {
    const folder = await mkdtemp(join(tmpdir(), 'managed-'))
    const holder = hold(folder)
    const lines = createInterface({ input: holder.stdout })
    const ended = holder.then(({ stderr }) => {
      throw new Error(`systemd did not start: ${stderr}`)
    })
    await Promise.race([once(lines, 'line'), ended])
    ended.catch(() => undefined)
    return new ManagedUser(folder, holder)
  }

  get uid(): number {
    return managedUser
  }

  /** The root folder as its processes see it. */
  get root(): string {
    return `/proc/${String(this.#holder.pid)}/root`
  }

  /** Variables with which programs find this manager. */
  get env(): Readonly<Record<string, string>> {
    return {
      ...environment,
      XDG_RUNTIME_DIR: this.#folder,
      HOME: this.#folder,
      DBUS_SESSION_BUS_ADDRESS: this.bus,
    }
  }

  /** Words that start a program as this user, in a control group that the manager may take it from. */
  get asUser(): readonly [string, ...string[]] {
    const group = `/sys/fs/cgroup/user.slice/user-${managedUser}.slice/user@${managedUser}.service/session/cgroup.procs`
    const ids = [`--reuid=${managedUser}`, `--regid=${managedUser}`, '--clear-groups', '--']
    return [
      'nsenter',
      '--target',
      String(this.#holder.pid),
      '--mount',
      '--',
      'sh',
      '-c',
      `echo 0 >${group}; exec "$@"`,
      'sh',
      'setpriv',
      ...ids,
    ]
  }

  /** Runs a shell script as this user, and returns its output; rejects if it fails. */
  async run(script: string): Promise<string> {
    const [program, ...words] = this.asUser
    const { stdout } = await execa(program, [...words, '/bin/sh', '-c', script], {
      env: this.env,
      extendEnv: false,
      timeout: 60_000,
    })
    return stdout
  }

  async end(): Promise<void> {
    this.#holder.stdin.end()
    await this.#holder
    await rm(this.#folder, { recursive: true })
  }
}

function hold(folder: string) {
  return execa('unshare', ['--mount', '/bin/bash', '-c', setUp, 'sh', folder], {
    env: environment,
    extendEnv: false,
    reject: false,
    stdin: 'pipe',
  })
}

/** Returns true if this computer can have a managed user. */
export async function mayManageUser(): Promise<boolean> {
  if (process.platform !== 'linux' || process.geteuid?.() !== 0) return false
  const script = `
set -e
umount -R -l /sys/fs/cgroup
mount -t cgroup2 groups /sys/fs/cgroup
test -w /sys/fs/cgroup/cgroup.procs -a ! -e /sys/fs/cgroup/user.slice/user-${managedUser}.slice
for program in dbus-daemon dbus-send setpriv nsenter systemd-run /usr/lib/systemd/systemd; do command -v "$program"; done`
  const { failed } = await execa('unshare', ['--mount', '/bin/sh', '-c', script], {
    env: environment,
    extendEnv: false,
    reject: false,
  })
  return !failed
}
