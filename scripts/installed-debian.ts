import { chmod, copyFile, cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { execa } from 'execa'
import { desktopFiles, desktopPackages, setUpDesktop } from './agent-window'
import { builtUserspaceWireGuard } from './build-helper'
import { makePackage } from './linux-packages'
import { packMockServer } from './mock-package'
import { releaseTime, writePackageFiles } from './package-files'
import { inTemporaryFolder, sbin } from './program'

const tree = join(import.meta.dirname, '..')

/** The oldest Debian whose Node.js runs Causeway. */
export const release = 'trixie'

/** What a container needs to start, what may set up its network, and for the checks. */
const base = ['systemd-sysv', 'dbus', 'ifupdown', 'dhcpcd', 'procps', 'curl']

/** Units that may write /etc/resolv.conf as soon as they start. */
const networkUnits = ['networking', 'systemd-networkd', 'dhcpcd']

/**
 * Installs causeway-cli in a Debian of its own, a container with systemd: lets a person at a desktop connect
 * (scripts/agent-window.ts), types the commands of docs/terminal.md for a connection at boot, restarts the container, finds
 * the tunnel up, lets it lose its power, finds that what brings up a network saw the DNS servers from before, removes the
 * package while connected, and purges it. The portal is the mock server inside the container, which has a network of its
 * own. Needs the built app, root, and the packages in scripts/set-up.ts.
 *
 * @returns 0 if the checks in the container said at the end that all was as expected
 */
export async function testInstalledDebian(): Promise<number> {
  return inTemporaryFolder('debian', async (folder) => {
    await chmod(folder, 0o755)
    const root = join(folder, 'root')
    await layOut(folder, root)
    // As udev makes it. This machine's may be for root alone, and OpenVPN runs as the person.
    const device = join(folder, 'tun')
    await execa('mknod', ['--mode=0666', device, 'c', '10', '200'])
    while ((await run(root, device)) === restarts);
    const output = await readFile(join(root, outputFile), 'utf8')
    console.log(output)
    return output.endsWith(passed) ? 0 : 1
  })
}

/** The exit status of systemd-nspawn if the container asked to be started again. */
const restarts = 133

async function run(root: string, device: string): Promise<number | undefined> {
  const { exitCode } = await execa(
    'systemd-nspawn',
    [
      ...['--quiet', '--directory', root, '--boot', '--register=no', '--keep-unit', '--console=pipe'],
      ...['--private-network', `--bind=${device}:/dev/net/tun`],
    ],
    // The container's systemd needs it, whatever this machine has.
    { env: { SYSTEMD_NSPAWN_UNIFIED_HIERARCHY: '1' }, stdin: 'ignore', reject: false, timeout: 20 * 60_000 },
  )
  return exitCode
}

const passed = 'All is as expected.\n'
const outputFile = 'root/output'

async function layOut(folder: string, root: string): Promise<void> {
  console.log('Laying out a Debian…')
  await execa('debootstrap', ['--variant=minbase', `--include=${base.join(',')}`, release, root], {
    env: sbin,
  })
  const deb = await commandPackage(folder)
  await copyFile(deb, join(root, 'root', basename(deb)))
  await installMock(folder, join(root, 'opt/mock'))
  const commands = await documentedCommands()
  // What the package needs is only downloaded: it is installed in the container, which has no network.
  const download = commands.install.replace('apt install', 'apt-get install --yes --download-only')
  const prepare = `cd /root
apt-get update
apt-get install --yes --no-install-recommends ${desktopPackages.join(' ')}
${download}`
  await execa('chroot', [root, '/bin/sh', '-ec', prepare], {
    env: { ...sbin, DEBIAN_FRONTEND: 'noninteractive' },
  })
  for (const [path, text] of Object.entries(containerFiles(commands))) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text, { mode: path.endsWith('.sh') ? 0o755 : 0o644 })
  }
  await execa('chroot', [root, 'systemctl', 'enable', 'causeway-test', ...networkUnits], { env: sbin })
  // There is no network for it, and it waits two minutes.
  await execa('chroot', [root, 'systemctl', 'mask', 'systemd-networkd-wait-online'], { env: sbin })
}

/** Makes the deb of causeway-cli, and returns its path. */
export async function commandPackage(folder: string): Promise<string> {
  const build = join(tree, 'out')
  const texts = join(folder, 'texts')
  await writePackageFiles({ name: 'causeway-cli', build }, texts)
  const helper = dirname(builtUserspaceWireGuard)
  return makePackage(
    'causeway-cli',
    'deb',
    { build, texts, helper, arch: 'x64', time: releaseTime() },
    folder,
  )
}

/** Unpacks the mock server as others install it, with the database that it needs on Node.js 20 to keep its sessions. */
async function installMock(folder: string, target: string): Promise<void> {
  const tarball = await packMockServer(join(folder, 'mock'))
  await mkdir(target, { recursive: true })
  await execa('tar', ['--extract', '--file', tarball, '--strip-components=1', '--no-same-owner'], {
    cwd: target,
  })
  for (const module of ['libsql', '@libsql', '@neon-rs', 'detect-libc'])
    await cp(join(tree, 'node_modules', module), join(target, 'node_modules', module), { recursive: true })
}

/** The commands as the documentation has them. */
interface Documented {
  readonly install: string
  readonly remove: string
  readonly addInstance: string
  readonly logIn: string
  readonly connect: string
}

async function documentedCommands(): Promise<Documented> {
  const pages = await Promise.all(
    ['install', 'terminal'].map((name) => readFile(join(tree, `docs/${name}.md`), 'utf8')),
  )
  const find = (pattern: RegExp): string => {
    const found = pages.join('\n').match(pattern)?.[1]
    if (found === undefined) throw new Error(`The documentation has no ${String(pattern)}.`)
    return found
  }
  return {
    install: find(/^(apt install \.\/causeway-cli_\S+)$/m),
    remove: find(/`(apt purge causeway)`/),
    addInstance: find(/^(causeway --data-dir .* instance add ADDRESS)$/m),
    logIn: find(/^(causeway --data-dir .* login --no-browser)$/m),
    connect: find(/\| when a server boots +\| `(systemctl enable --now causeway@PROFILE)`/),
  }
}

const mock = 'http://127.0.0.1:5006/'
const profile = 'office'

/** Returns the files of the container by their paths. */
function containerFiles(commands: Documented) {
  const unit = (description: string, service: string) =>
    `[Unit]\nDescription=${description}\n\n[Service]\n${service}\n\n[Install]\nWantedBy=multi-user.target\n`
  return {
    'etc/systemd/system/mock.service': unit(
      'Mock server',
      'ExecStart=/usr/bin/node /opt/mock/dist/cli.js --auto-approve --tunnel openvpn --data-dir /var/lib/mock',
    ),
    'etc/systemd/system/causeway-test.service': unit('Checks', 'Type=oneshot\nExecStart=/root/test.sh'),
    ...desktopFiles(mock, profile, `/${outputFile}`),
    // Each copies what it finds when it starts.
    ...Object.fromEntries(
      networkUnits.map((name) => [
        `etc/systemd/system/${name}.service.d/seen.conf`,
        `[Service]\nExecStartPre=+/bin/cp /etc/resolv.conf /root/seen-${name}\n`,
      ]),
    ),
    'root/test.sh': [
      scriptHead,
      firstBoot(commands),
      afterRestart,
      whileConnected,
      removal(commands),
      scriptEnd,
    ].join('\n'),
  }
}

const scriptHead = `#!/bin/bash
exec >>/${outputFile} 2>&1
# Also in functions.
set -Eeuxo pipefail
cd /root
export DEBIAN_FRONTEND=noninteractive HOME=/root
trap 'set +e; systemctl --no-pager status "causeway@*" mock; journalctl --no-pager -n 40; systemctl poweroff --no-block' ERR

wait_for() { timeout 120 sh -c "until $1; do sleep 0.5; done"; }
up='causeway --data-dir /var/lib/causeway --secret-store file status --json 2>/dev/null | grep -q "\\"connected\\""'
never() { if "$@"; then return 1; fi; }
`

/** Installs the package, signs in, connects at boot, and restarts the container. */
function firstBoot({ install, addInstance, logIn, connect }: Documented): string {
  const at = (command: string) => command.replace('ADDRESS', mock).replace('PROFILE', profile)
  return `if [ ! -e restarted ]; then
  cp /etc/resolv.conf before
  ${install.replace('apt install', 'apt-get install --yes --quiet=2')}
  causeway --version
  causeway --secret-store file doctor
  systemctl enable --now mock
  wait_for 'curl --silent --fail --output /dev/null ${mock}info.json'
  ${setUpDesktop}
  ${at(addInstance)}
  # The browser is on another computer: it gets the address that is printed, and its last one is pasted.
  mkfifo pasted
  ${logIn} <pasted >login 2>&1 &
  exec 3>pasted
  wait_for "grep -q '^ *${mock}.*response_type' login"
  curl --silent --output /dev/null --write-out '%{redirect_url}\\n' "$(sed -n 's/^ *\\(http.*response_type.*\\)/\\1/p' login)" >&3
  wait %1
  exec 3>&-
  cat login
  causeway --data-dir /var/lib/causeway --secret-store file settings set killSwitch true
  ${at(connect)}
  wait_for "$up"
  touch restarted
  systemctl reboot --no-block
  exit
fi
`
}

/** Lets the container lose its power with a tunnel's DNS servers in place, and checks what the units found afterwards. */
const afterRestart = `wait_for "$up"
if [ ! -e lost-power ]; then
  # As a tunnel with DNS servers leaves it.
  ln /etc/resolv.conf /etc/resolv.conf.before-causeway
  echo '# Written by Causeway while a VPN is connected. Afterwards, resolv.conf.before-causeway is put back.' >draft
  echo 'nameserver 10.88.1.53' >>draft
  mv draft /etc/resolv.conf
  systemd-analyze verify --man=no causeway-resolv-conf.service
  touch lost-power
  rm seen-*
  sync
  # Ends nothing: as a loss of power.
  systemctl reboot --force --force
  exit
fi
for unit in ${networkUnits.join(' ')}; do cmp before "seen-$unit"; done
journalctl --boot --unit causeway-resolv-conf | grep Finished
`

/** Checks that the tunnel is up and stays up while the package is upgraded. */
const whileConnected = `systemctl is-active causeway@${profile}
ip address show type tun
nft list ruleset | grep 'table inet causeway'
# Only the tunnel leads there.
curl --silent --fail --max-time 60 --output /dev/null "$(curl --silent --fail ${mock}_mock/tunnel | grep -o 'http://10[^"]*')"

# As an upgrade, which leaves connections up.
before=$(systemctl show --property MainPID causeway@${profile})
dpkg --install causeway-cli_*.deb
[ "$before" = "$(systemctl show --property MainPID causeway@${profile})" ]
sh -c "$up"
`

/** Removes the package while connected and purges it, and checks that nothing is left. */
function removal({ remove }: Documented): string {
  return `apt-get ${remove.replace(/^apt purge/, 'remove --yes')}-cli
never systemctl is-active causeway@${profile}
never pgrep -af 'causeway connect|causeway-helper|openvpn --config stdin --dev'
[ -z "$(nft list ruleset)" ]
[ -z "$(ip -oneline link show type tun)" ]
never command -v causeway

${remove.replace('apt purge', 'apt-get purge --yes')}-cli
left=$(find / -xdev -name '*causeway*' -not -path '/root/*' -not -path '/home/*' -not -path '/etc/systemd/system/*causeway-test.service' -not -path '/var/cache/*' -not -path '/opt/mock/*')
echo "left: $left"
[ -z "$left" ] && [ ! -e /run/causeway ]
`
}

const scriptEnd = `set +x
echo '${passed.trim()}'
systemctl poweroff --no-block
`
