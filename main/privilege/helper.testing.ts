import { chmod, copyFile, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { execa } from 'execa'

const tree = path.resolve(import.meta.dirname, '../..')
const variants = path.join(tree, 'node_modules/.cache/causeway-helper')

/** Builds of the helper from scripts/build-helper.ts: the real one, and those for tests (helper/*.go). */
const builds = {
  linux: path.join(tree, 'out/helper/causeway-helper'),
  macos: path.join(variants, 'macos_rehearsal'),
  killpoints: path.join(variants, 'killpoints'),
  macosKillpoints: path.join(variants, 'macos_rehearsal,killpoints'),
} as const

/** Puts the program in front of the script that it runs (helper/stand_in_rehearsal.go). */
const standIn = `stand_in() {
  { cat ${builds.macos}; echo; cat "$1"; } >"$1.new"
  chmod 755 "$1.new"
  mv -f "$1.new" "$1"
}
`

export interface TestHelper {
  /** Starts the real helper in the environment of `prepare`. */
  readonly helper: string
  readonly folder: string
  remove(): Promise<void>
}

/**
 * Creates a copy of the installed helper that runs in a private mount namespace.
 *
 * @param prepare shell commands that set up the environment, run as root before the helper; `$folder` is its folder, `$own`
 *   one that no other start of it uses at the same time, and `stand_in FILE` turns a shell script into a program, because the helper runs no script as OpenVPN
 * @param within a command prefix, such as `ip netns exec NAME`
 */
export async function installTestHelper(
  prepare = '',
  within = '',
  build: keyof typeof builds = 'linux',
): Promise<TestHelper> {
  const folder = await mkdtemp(path.join(tmpdir(), 'causeway-helper-'))
  await chmod(folder, 0o755)
  await mkdir(path.join(folder, 'libexec'))
  await copyFile(builds[build], path.join(folder, 'libexec/causeway-helper'))
  const inside = path.join(folder, 'inside')
  // Private records: other tests run helpers as the same user.
  await mkdir(path.join(folder, 'state'), { mode: 0o700 })
  await copyEtc(folder)
  const state = `own=${folder}/own-$$\nmkdir -p $own\nmkdir -p /run/causeway\nmount --bind $folder/state /run/causeway\n${ownEtc('$folder')}`
  await writeFile(
    inside,
    `#!/bin/sh\nfolder=${folder}\n${state}${standIn}${prepare}\nexec ${folder}/libexec/causeway-helper "$@"\n`,
  )
  await chmod(inside, 0o755)
  const helper = path.join(folder, 'start')
  await writeFile(helper, `#!/bin/sh\nexec ${within} /usr/bin/unshare -m ${inside} "$@"\n`)
  await chmod(helper, 0o755)
  return { helper, folder, remove: () => rm(folder, { recursive: true, force: true }) }
}

/** Folders of /etc with most of its files, which no helper changes. */
const shared = ['alternatives', 'ssl']

/** Copies /etc into a folder, for {@link ownEtc}. */
export async function copyEtc(folder: string): Promise<void> {
  const copy = path.join(folder, 'etc')
  for (const each of shared) await mkdir(path.join(copy, each), { recursive: true })
  const copied = (await readdir('/etc')).filter((each) => !shared.includes(each))
  await execa('cp', ['-a', ...copied.map((each) => path.join('/etc', each)), copy])
}

/**
 * Shell commands that keep a helper from changing this computer's DNS: the folder's copy takes the place of /etc, and there is
 * neither a system bus with NetworkManager nor resolvconf.
 */
export function ownEtc(folder: string): string {
  return `for each in ${shared.join(' ')}; do
  mount --bind /etc/$each ${folder}/etc/$each || exit 1
done
mount --rbind ${folder}/etc /etc || exit 1
for file in /run/dbus/system_bus_socket /usr/sbin/resolvconf /usr/bin/resolvconf; do
  [ ! -e $file ] || mount --bind /dev/null $file
done
`
}

/** Writes the folder's resolv.conf in one step, as a DHCP client does. */
export async function replaceResolvConf(folder: string, text: string): Promise<void> {
  const file = path.join(folder, 'etc/resolv.conf')
  await writeFile(`${file}.dhcp`, text)
  await rename(`${file}.dhcp`, file)
}

/** Shell commands that let programs seem to ask systemd-resolved, in the folder's copy of /etc. */
export function asksResolved(folder: string): string {
  const draft = `${folder}/etc/resolv.conf.$$`
  return `echo 'nameserver 127.0.0.53' >${draft}\nmv -f ${draft} ${folder}/etc/resolv.conf\n`
}

/** Returns true if this process may create namespaces, as the tests of the helper need. */
export async function mayMakeNamespaces(): Promise<boolean> {
  if (process.platform !== 'linux' || process.geteuid?.() !== 0) return false
  const { exitCode } = await execa('unshare', ['-m', '-n', 'true'], { reject: false })
  return exitCode === 0
}
