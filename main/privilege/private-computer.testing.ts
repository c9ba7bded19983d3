import { once } from 'node:events'
import { readdir, readFile, readlink } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { execa } from 'execa'

/** The user of a private computer, who does not exist on the real one. */
export const privateUser = 20_123

/**
 * Sets up a private computer with its own files, network and system bus: changes to /etc, /usr, /var and /run stay in
 * memory and disappear with it. Processes are shared with the real computer.
 */
const setUp = `
set -eu
mount -t tmpfs run /run
mount -t tmpfs layers /mnt
for folder in etc usr var; do
  mkdir -p /mnt/$folder/upper /mnt/$folder/work
  mount -t overlay overlay -o lowerdir=/$folder,upperdir=/mnt/$folder/upper,workdir=/mnt/$folder/work /$folder
done
mount -t tmpfs devices /dev/net
mknod -m 666 /dev/net/tun c 10 200
mkdir -p /srv
mount -t tmpfs places /srv
mkdir /srv/tree
mount --bind "$1" /srv/tree
touch /srv/node
mount --bind "$2" /srv/node
ip link set lo up
echo 'causeway-test:x:${privateUser}:${privateUser}::/:/bin/sh' >>/etc/passwd
echo 'causeway-test:x:${privateUser}:' >>/etc/group
# Without a line here sudo takes an account for locked.
echo 'causeway-test:*:20000:0:99999:7:::' >>/etc/shadow
mkdir -p /run/dbus
daemons=
tied() {
  "$@" </dev/null >/dev/null 2>&1 &
  daemons="$daemons $!"
}
# The kernel would forget to end them with this one, since they change their user.
trap 'kill -s KILL $daemons' EXIT
tied dbus-daemon --system --nofork --nopidfile
until [ -S /run/dbus/system_bus_socket ]; do sleep 0.02; done
`

const keepRunning = `
echo ready
read -r _ || true
`

const environment = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' }

export class PrivateComputer {
  /** Words that start a program in it as root. */
  readonly asRoot: readonly [string, ...string[]]
  readonly #holder: ReturnType<typeof hold>

  private constructor(holder: ReturnType<typeof hold>) {
    this.#holder = holder
    this.asRoot = ['nsenter', '--target', String(holder.pid), '--mount', '--net', '--']
  }

  /** Words that start a program in it as a user without rights. */
  get asUser(): readonly [string, ...string[]] {
    const ids = [`--reuid=${String(privateUser)}`, `--regid=${String(privateUser)}`, '--clear-groups']
    return [...this.asRoot, 'setpriv', ...ids, '--']
  }

  /** @param more additional shell commands; `tied` starts a program that ends with the computer */
  static async make(tree: string, more = ''): Promise<PrivateComputer> {
    const holder = hold(tree, more)
    const lines = createInterface({ input: holder.stdout })
    const ended = holder.then(({ stderr }) => {
      throw new Error(`The private computer did not start: ${stderr}`)
    })
    await Promise.race([once(lines, 'line'), ended])
    ended.catch(() => undefined)
    return new PrivateComputer(holder)
  }

  /** Runs a shell script in it as root, and returns its output; rejects if it fails. */
  async run(script: string): Promise<string> {
    const [program, ...words] = this.asRoot
    const { stdout } = await execa(program, [...words, '/bin/sh', '-c', script], {
      env: environment,
      extendEnv: false,
      timeout: 60_000,
    })
    return stdout
  }

  /** Returns the command lines of the processes in its network namespace, without those in other namespaces. */
  async processes(): Promise<string[]> {
    const own = await readlink(`/proc/${String(this.#holder.pid)}/ns/net`)
    const pids = (await readdir('/proc')).filter(
      (name) => /^\d+$/.test(name) && name !== String(this.#holder.pid),
    )
    const found = await Promise.all(
      pids.map(async (pid) => {
        try {
          if ((await readlink(`/proc/${pid}/ns/net`)) !== own) return ''
          return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ')
        } catch {
          // The process has ended meanwhile.
          return ''
        }
      }),
    )
    return found.filter(Boolean)
  }

  async remove(): Promise<void> {
    this.#holder.stdin.end()
    await this.#holder
  }
}

function hold(tree: string, more: string) {
  return execa(
    'unshare',
    ['--mount', '--net', '/bin/sh', '-c', `${setUp}${more}${keepRunning}`, 'sh', tree, process.execPath],
    { env: environment, extendEnv: false, reject: false, stdin: 'pipe' },
  )
}

/**
 * Returns true if a private computer can be created: as root on Linux, with namespaces, overlays, a tun device and these
 * programs.
 */
export async function mayMakePrivateComputer(programs: readonly string[]): Promise<boolean> {
  if (process.platform !== 'linux' || process.geteuid?.() !== 0) return false
  const script = `
set -e
mount -t tmpfs layers /mnt
mkdir /mnt/upper /mnt/work
mount -t overlay overlay -o lowerdir=/etc,upperdir=/mnt/upper,workdir=/mnt/work /etc
mknod /mnt/tun c 10 200
: <>/mnt/tun
for program in dbus-daemon setpriv nsenter ip openvpn ${programs.join(' ')}; do command -v "$program"; done`
  const { failed } = await execa('unshare', ['--mount', '--net', '/bin/sh', '-c', script], {
    env: environment,
    extendEnv: false,
    reject: false,
  })
  return !failed
}
