import { copyFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { execa } from 'execa'
import packageJson from '../package.json' with { type: 'json' }
import { release } from './installed-debian'
import { fileName } from './linux-packages'
import { inTemporaryFolder, sbin } from './program'

const dist = join(import.meta.dirname, '..', 'dist')
const deb = fileName('causeway', 'deb', 'x64')
const rpm = fileName('causeway-cli', 'rpm', 'x64')

/**
 * Installs, tries, removes and purges the deb with the window, with all that it depends on, in a new Debian; and the rpm of the terminal
 * command by rpm itself, which checks what it requires and runs its scripts. Debian's own packages, which rpm doesn't know, are described
 * to it by an empty package. Needs root, both packages in dist/, and the packages in scripts/set-up.ts.
 *
 * @returns 0 if nothing is left behind
 */
export async function testInstalledPackages(): Promise<number> {
  return inTemporaryFolder('packages', async (folder) => {
    const root = join(folder, 'root')
    console.log('Laying out a Debian…')
    await execa('debootstrap', ['--variant=minbase', release, root], { env: sbin })
    await copyFile(join(dist, deb), join(root, 'root', deb))
    await copyFile(join(dist, rpm), join(root, 'root', rpm))
    await copyFile(await standIn(folder), join(root, 'root/stand-in.rpm'))
    await writeFile(join(root, 'root/test.sh'), checks)
    // Processes and mounts end with the namespace. rpm runs scripts only where / is a mount.
    const mounts =
      'mount --bind "$1" "$1" && mount -t proc proc "$1/proc" && mount -t sysfs -o ro sysfs "$1/sys" && mount --rbind /dev "$1/dev"'
    const words = ['--mount', '--pid', '--fork', '--propagation', 'private', '--kill-child', 'sh', '-c']
    const { exitCode } = await execa(
      'unshare',
      [...words, `${mounts} && exec chroot "$1" bash /root/test.sh`, 'sh', root],
      {
        env: sbin,
        stdin: 'ignore',
        stdout: 'inherit',
        stderr: 'inherit',
        reject: false,
      },
    )
    return exitCode ?? 1
  })
}

/** Makes an rpm that provides what the other one requires and recommends by Fedora's names. */
async function standIn(folder: string): Promise<string> {
  const spec = join(folder, 'stand-in.spec')
  const provided = ['/bin/sh', 'nodejs = 20.19', 'openvpn', 'iproute', 'libsecret', 'nftables', 'polkit']
  await writeFile(
    spec,
    `Name: stand-in\nVersion: 1\nRelease: 1\nSummary: x\nLicense: MIT\nBuildArch: noarch\nProvides: ${provided.join(', ')}\n%description\nx\n%files\n`,
  )
  const macros = { _topdir: join(folder, 'build'), _rpmdir: folder, _rpmfilename: 'stand-in.rpm' }
  const defined = Object.entries(macros).flatMap(([name, value]) => ['--define', `${name} ${value}`])
  await execa('rpmbuild', ['-bb', ...defined, spec])
  return join(folder, 'stand-in.rpm')
}

const checks = `set -euxo pipefail
cd /root
export DEBIAN_FRONTEND=noninteractive HOME=/root LC_ALL=C.UTF-8
never() { if "$@"; then return 1; fi; }
doctor() { causeway --secret-store file doctor --json >findings || [ $? = 1 ]; cat findings; }
left() { find / -xdev -iname '*causeway*' -not -path '/root/*' -not -path '/proc/*' -not -path '/sys/*' -not -path '/var/cache/apt/*'; }

apt-get install --yes --quiet=2 ./${deb}
[ "$(causeway --version)" = ${packageJson.version} ]
doctor
never grep '"name":"openvpn","status":"missing"' findings
ldd /opt/Causeway/causeway-app >libraries
never grep 'not found' libraries
# As an upgrade.
dpkg --install ./${deb}
causeway --version
apt-get remove --yes --quiet=2 causeway
[ ! -e /usr/bin/causeway ]
apt-get purge --yes --quiet=2 causeway
[ -z "$(left)" ]

apt-get install --yes --quiet=2 nodejs openvpn iproute2
apt-get install --yes --quiet=2 --no-install-recommends rpm
never rpm --install ${basename(rpm)}
rpm --install stand-in.rpm
rpm --install ${rpm}
rpm --verify causeway-cli
[ "$(causeway --version)" = ${packageJson.version} ]
doctor
# An upgrade runs the scripts of both versions, and ends nothing.
rpm --upgrade --replacepkgs ${rpm}
causeway --version
rpm --erase causeway-cli
[ ! -e /usr/bin/causeway ]
rm -rf /run/causeway
[ -z "$(left)" ]
`
