import { existsSync } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { execa } from 'execa'
import { answerHelp } from './help'
import { isStarted } from './program'

/**
 * System packages that the tests and the demo need, by Debian's names. A renamed package has several names, newest
 * first.
 */
const packages = {
  tunnel: [
    ['openvpn'],
    ['iproute2'],
    ['iputils-ping'],
    ['nftables'],
    ['wireguard-go'],
    // Recommends a kernel package, which --no-install-recommends leaves out.
    ['wireguard-tools'],
  ],
  helper: [['golang-go'], ['pkexec'], ['polkitd'], ['nftables'], ['sudo'], ['dbus']],
  helperLint: [['go-staticcheck']],
  keyStore: [['dbus'], ['gnome-keyring'], ['libsecret-1-0']],
  window: [
    ['xvfb'],
    ['xauth'],
    ['libgtk-3-0t64', 'libgtk-3-0'],
    ['libnss3'],
    ['libasound2t64', 'libasound2'],
    ['libgbm1'],
    ['libxss1'],
    ['libnotify4'],
  ],
  browser: [['chromium']],
  screenReader: [['orca'], ['at-spi2-core']],
  // A panel with a tray, notifications, and what starts programs with a session.
  desktop: [['xfce4-panel'], ['xfwm4'], ['dunst'], ['xdotool'], ['libglib2.0-bin'], ['dex']],
  // A compositor without a screen, and what takes the place of a person in front of it.
  wayland: [['sway'], ['grim'], ['wtype'], ['wl-clipboard'], ['python3-gi'], ['gir1.2-gtk-3.0']],
  // For pictures of the window in Japanese.
  fonts: [['fonts-noto-cjk']],
  shells: [['zsh'], ['fish']],
  rpm: [['rpm'], ['createrepo-c'], ['dnf']],
  // For scripts/kernel-wireguard.ts.
  virtualMachine: [['qemu-system-x86'], ['cpio'], ['kmod']],
  // For scripts/windows.
  windows: [
    ['wine'],
    ['wine64'],
    ['gcc-mingw-w64-x86-64'],
    ['nsis'],
    ['wixl'],
    ['msitools'],
    ['osslsigncode'],
    ['openssl'],
    ['xvfb'],
  ],
  // For scripts/generated-clients.ts.
  generatedClients: [
    ['default-jdk-headless', 'openjdk-21-jdk-headless', 'openjdk-17-jdk-headless'],
    ['maven'],
    ['python3-venv'],
  ],
  // For scripts/installed-debian.ts.
  container: [['debootstrap'], ['systemd-container']],
  // For scripts/whole-debian.
  wholeDebian: [['debootstrap'], ['qemu-system-x86'], ['e2fsprogs'], ['dnsmasq-base'], ['curl']],
  // For scripts/other-openvpn.ts.
  otherOpenVpn: [['debootstrap'], ['patchelf']],
} as const satisfies Record<string, readonly (readonly [string, ...string[]])[]>

/** Programs of those packages, for systems with other package names. */
const programs = {
  tunnel: ['openvpn', 'ip', 'nft', 'wg', 'wireguard-go'],
  helper: ['go', 'pkexec', 'nft', 'sudo', 'dbus-daemon'],
  helperLint: [],
  keyStore: ['dbus-run-session', 'gnome-keyring-daemon'],
  window: ['Xvfb'],
  browser: ['chromium'],
  screenReader: ['orca'],
  desktop: ['xfce4-panel', 'xfwm4', 'dunst', 'xdotool', 'gdbus', 'dex'],
  wayland: ['sway', 'grim', 'wtype', 'wl-paste', 'python3'],
  fonts: [],
  shells: ['zsh', 'fish'],
  rpm: ['rpmbuild', 'createrepo_c', 'dnf'],
  virtualMachine: ['qemu-system-x86_64', 'cpio', 'modprobe'],
  windows: [
    'wine',
    'x86_64-w64-mingw32-gcc',
    'makensis',
    'wixl',
    'msibuild',
    'osslsigncode',
    'openssl',
    'Xvfb',
  ],
  generatedClients: ['javac', 'mvn', 'python3'],
  container: ['debootstrap', 'systemd-nspawn'],
  wholeDebian: ['debootstrap', 'qemu-system-x86_64', 'mkfs.ext4', 'dnsmasq', 'curl'],
  otherOpenVpn: ['debootstrap', 'patchelf'],
} as const satisfies Record<keyof typeof packages, readonly string[]>

type Need = keyof typeof packages

/**
 * Packages that tests unpack in isolated environments (main/tunnel/openvpn/name-servers.test.ts). They are not
 * installed, because each would take over name resolution on this machine.
 */
const unpacked = ['systemd-resolved', 'libsystemd-shared', 'openresolv', 'resolvconf']
const unpackedFolder = join(import.meta.dirname, '..', 'node_modules', '.cache', 'causeway-name-servers')

/**
 * Installs missing system packages with apt-get, as root on Debian. Otherwise throws an Error with the command to type.
 * Takes about a tenth of a second if nothing is missing.
 */
export async function setUp(needs: readonly Need[]): Promise<void> {
  if (process.platform !== 'linux') return
  if (!(await works('dpkg-query', ['--version']))) {
    const missing = needs.flatMap((need) => programs[need]).filter((program) => !isProgram(program))
    if (missing.length > 0)
      throw new Error(`Please install what brings these programs: ${missing.join(', ')}`)
    return
  }
  await install(needs)
  if (!needs.includes('helper')) return
  await download(unpacked)
  await downloadWithDependencies('network-manager')
}

async function install(needs: readonly Need[]): Promise<void> {
  const missing = await missingPackages(needs)
  if (missing.length === 0) return
  if (process.getuid?.() !== 0) {
    const names = missing.map((names) => names.at(-1)).join(' ')
    throw new Error(
      `Some system packages are missing. Please type:\n  sudo apt-get update && sudo apt-get install -y --no-install-recommends ${names}`,
    )
  }
  console.log('Installing system packages…')
  const options = {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { DEBIAN_FRONTEND: 'noninteractive' },
  } as const
  await execa('apt-get', ['update', '-qq'], options)
  const names = await Promise.all(missing.map(installable))
  console.log(`  ${names.join(' ')}`)
  await execa('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...names], options)
}

/** Downloads packages without installing them. Tests that need an unavailable package are skipped. */
async function download(names: readonly string[]): Promise<void> {
  await mkdir(unpackedFolder, { recursive: true })
  const files = await readdir(unpackedFolder)
  for (const name of names) {
    if (files.some((file) => file.startsWith(`${name}_`))) continue
    const { failed } = await execa('apt-get', ['download', '-qq', name], {
      cwd: unpackedFolder,
      reject: false,
    })
    if (failed) console.log(`The package ${name} cannot be had here; tests of name servers need it.`)
  }
}

/** Downloads a package with what it needs of others that aren't installed, which takes apt's lock; does nothing without root. */
async function downloadWithDependencies(name: string): Promise<void> {
  const folder = join(unpackedFolder, name)
  await mkdir(join(folder, 'partial'), { recursive: true })
  if ((await readdir(folder)).some((file) => file.startsWith(`${name}_`)) || process.getuid?.() !== 0) return
  const words = ['install', '-y', '-qq', '--no-install-recommends', '--download-only', '--reinstall']
  const { failed } = await execa('apt-get', [...words, '-o', `Dir::Cache::archives=${folder}`, name], {
    reject: false,
    env: { DEBIAN_FRONTEND: 'noninteractive' },
  })
  if (failed) console.log(`The package ${name} cannot be had here; tests of name servers need it.`)
}

async function missingPackages(needs: readonly Need[]): Promise<(readonly string[])[]> {
  const wanted = needs.flatMap((need) => [...packages[need]])
  const { stdout } = await execa(
    'dpkg-query',
    ['--show', '--showformat=${Package} ${db:Status-Status}\\n', ...wanted.flat()],
    { reject: false },
  )
  const installed = new Set(
    stdout.split('\n').flatMap((line) => (line.endsWith(' installed') ? [line.split(' ')[0]] : [])),
  )
  return wanted.filter((names) => !names.some((name) => installed.has(name)))
}

/** Returns the first name that this release can install. */
async function installable(names: readonly string[]): Promise<string> {
  for (const name of names) {
    const { stdout } = await execa('apt-cache', ['policy', name], { reject: false })
    if (/Candidate: (?!\(none\))/.test(stdout)) return name
  }
  throw new Error(`No package ${names.join(' or ')} is known to apt-get here.`)
}

async function works(command: string, args: readonly string[]): Promise<boolean> {
  const { failed } = await execa(command, args, { reject: false })
  return !failed
}

function isProgram(name: string): boolean {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
  return folders.some((folder) => existsSync(join(folder, name)))
}

if (isStarted(import.meta.url)) {
  answerHelp(
    'Usage: npm run set-up\n\nInstalls the system packages that the tests need: with apt-get as root on Debian and Ubuntu; elsewhere it prints the\ncommand to run.',
  )
  await setUp(['tunnel', 'helper', 'helperLint', 'keyStore', 'window', 'browser', 'shells'])
}
