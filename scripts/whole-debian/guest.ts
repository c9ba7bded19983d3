import { chmod, copyFile, mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { execa } from 'execa'
import { fileName } from '../linux-packages'
import { sbin } from '../program'
import { ports } from './machine'

/** A release of Debian in the machine, and what differs between them there. */
export interface Release {
  readonly name: string
  readonly number: number
  /** Who looks up names: systemd-resolved, or the servers in /etc/resolv.conf, which NetworkManager writes. */
  readonly resolver: 'systemd-resolved' | 'resolv.conf'
  /** The Node.js that Causeway needs: the release's own, or that of this computer, in a package that is made for the machine. */
  readonly node: 'own' | 'of this computer'
}

export const releases: readonly Release[] = [
  { name: 'bookworm', number: 12, resolver: 'resolv.conf', node: 'of this computer' },
  { name: 'trixie', number: 13, resolver: 'systemd-resolved', node: 'own' },
]

/** What a usual desktop has, what Causeway and its package need, and what the checks use. Nothing is installed later but Causeway. */
const packages = [
  ...['systemd-sysv', 'udev', 'dbus', 'dbus-user-session', 'libpam-systemd', 'network-manager'],
  ...['linux-image-amd64', 'polkitd', 'pkexec', 'openvpn', 'nftables', 'libsecret-1-0', 'ca-certificates'],
  ...['kmod', 'procps', 'iproute2', 'iputils-ping', 'curl', 'wireguard-tools', 'apt-utils'],
]

/** The person who sits at the machine. */
export const person = 'anna'

/** Lays out a Debian in a folder, of which a disk can be made. Takes minutes, and needs root. */
export async function layOutDebian({ name, resolver, node }: Release, root: string): Promise<void> {
  const all = [
    ...packages,
    ...(resolver === 'systemd-resolved' ? [resolver] : []),
    // What this computer's Node.js links to.
    ...(node === 'own' ? ['nodejs'] : ['libstdc++6', 'libatomic1']),
  ]
  await execa('debootstrap', ['--variant=minbase', `--include=${all.join(',')}`, name, root], { env: sbin })
  if (node !== 'own') await installNode(root)
}

/** Installs this computer's Node.js as a package for it would. Throws if it doesn't run there. */
async function installNode(root: string): Promise<void> {
  const tree = join(root, 'root', 'nodejs')
  const program = join(tree, 'usr/bin/node')
  const control = [
    ...['Package: nodejs', `Version: ${process.versions.node}`, 'Architecture: amd64'],
    ...[
      'Maintainer: none',
      'Depends: libc6, libstdc++6, libatomic1',
      'Description: Node.js for the checks',
      '',
    ],
  ]
  await mkdir(dirname(program), { recursive: true })
  await mkdir(join(tree, 'DEBIAN'))
  await writeFile(join(tree, 'DEBIAN/control'), control.join('\n'))
  await copyFile(process.execPath, program)
  await chmod(program, 0o755)
  const script = `cd /root
dpkg-deb --root-owner-group -Znone --build nodejs nodejs.deb
dpkg --install nodejs.deb
rm nodejs.deb
node --version`
  await execa('chroot', [root, '/bin/sh', '-ec', script], { env: sbin })
  await rm(tree, { recursive: true })
}

/** Sets up what the checks need: the person, who is logged in, and a program that runs scripts for them and for root. */
export async function prepareDebian({ resolver }: Release, root: string): Promise<void> {
  for (const [path, text] of Object.entries(files(resolver))) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text, { mode: path.startsWith('usr/local/bin') ? 0o755 : 0o644 })
  }
  const script = `
useradd --create-home --shell /bin/bash ${person}
groupadd vpn-users
usermod --append --groups vpn-users ${person}
mkdir ${medium}
# Nothing of a first start, and nothing that takes apt's lock.
systemd-machine-id-setup
touch /etc/.updated /var/.updated
systemctl mask apt-daily.timer apt-daily-upgrade.timer serial-getty@ttyS0
systemctl enable run-root NetworkManager ${resolver === 'systemd-resolved' ? resolver : ''}
rm -f /etc/resolv.conf
${resolver === 'systemd-resolved' ? 'ln -s ../run/systemd/resolve/stub-resolv.conf /etc/resolv.conf' : ''}
# As small as this machine needs it: it's read anew at each start.
printf 'virtio_pci\\nvirtio_blk\\next4\\n' >>/etc/initramfs-tools/modules
sed -i 's/^MODULES=.*/MODULES=list/' /etc/initramfs-tools/initramfs.conf
update-initramfs -u
`
  await execa('chroot', [root, '/bin/sh', '-ec', script], { env: sbin })
}

/** Where the second disk is, with the packages and the authority of the portal's certificate. */
export const medium = '/media/packages'

/** The file of the package on it. */
export const deb = fileName('causeway-cli', 'deb', 'x64')

/** Makes a disk of what is in a folder. */
export async function makeDisk(folder: string, disk: string, size: '4G' | '64M'): Promise<void> {
  await execa('mkfs.ext4', ['-q', '-F', '-d', folder, disk, size], { env: sbin })
}

function files(resolver: Release['resolver']): Record<string, string> {
  return {
    'usr/local/bin/run-scripts': `#!/bin/bash
# Runs what comes through the port with this name, one script a line in base64, and returns its status and output.
umask 077
folder=$(mktemp -d)
exec 3<>"/dev/virtio-ports/$1"
echo ready >&3
while read -r line <&3; do
  base64 -d <<<"$line" >"$folder/script"
  bash "$folder/script" >"$folder/output" 2>&1 </dev/null 3>&-
  echo "$? $(base64 -w0 "$folder/output")" >&3
done
`,
    'etc/udev/rules.d/70-scripts.rules': ports
      .map(
        (port) =>
          `SUBSYSTEM=="virtio-ports", ATTR{name}=="${port}", OWNER="${port === 'root' ? port : person}", MODE="0600"\n`,
      )
      .join(''),
    'etc/systemd/system/run-root.service': `[Unit]
Description=Runs scripts of the checks

[Service]
Environment=HOME=/root DEBIAN_FRONTEND=noninteractive
ExecStart=/usr/local/bin/run-scripts root
Restart=always
# As whatever is typed at a terminal: it outlives nothing, and nothing of it is ended.
KillMode=process

[Install]
WantedBy=multi-user.target
`,
    // A real login at the machine's seat, with a session and the person's own systemd.
    'etc/systemd/system/getty@tty1.service.d/autologin.conf': `[Service]
ExecStart=
ExecStart=-/sbin/agetty --autologin ${person} --noclear %I $TERM
`,
    [`etc/profile.d/scripts.sh`]: `[ "$(tty)" = /dev/tty1 ] && exec /usr/local/bin/run-scripts person\n`,
    'etc/NetworkManager/conf.d/checks.conf': `[main]
dns=${resolver === 'systemd-resolved' ? resolver : 'default'}
`,
    'etc/fstab': `/dev/vda / ext4 defaults 0 1\n/dev/vdb ${medium} ext4 ro 0 0\n`,
    'etc/hostname': 'laptop\n',
    'etc/hosts': '127.0.0.1 localhost\n127.0.1.1 laptop\n',
    'etc/systemd/journald.conf.d/checks.conf': '[Journal]\nStorage=persistent\n',
  }
}
