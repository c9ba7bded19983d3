import { chmod, copyFile, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { execa } from 'execa'
import { inTemporaryFolder, sbin } from './program'

const tree = join(import.meta.dirname, '..')

/** Modules with which the virtual machine reaches the files of this one. */
const bootModules = ['9p', '9pnet_virtio', 'virtio_pci', 'overlay']

/**
 * Runs tests in a virtual machine with Debian's kernel, which has WireGuard, unlike the kernels of many build machines. It
 * sees this machine's files, keeps its own changes in memory, and has no network. Without hardware help it takes minutes.
 * Needs Debian for x64 and the packages in scripts/set-up.ts.
 *
 * @returns the exit status of Vitest, or 1 if the machine did not get that far, or every test was left out
 */
export async function testWithKernelWireGuard(...files: readonly string[]): Promise<number> {
  return inTemporaryFolder('kernel', (folder) =>
    runIn(folder, `CAUSEWAY_NIGHTLY=1 npx vitest run --reporter=verbose ${files.join(' ')}`),
  )
}

async function runIn(folder: string, command: string): Promise<number> {
  const { stdout: depends } = await execa('apt-cache', ['depends', 'linux-image-amd64'])
  const kernelPackage = /Depends: (linux-image-\S+)/.exec(depends)?.[1]
  if (kernelPackage === undefined) throw new Error('No package of a kernel is known to apt-get here.')
  await chmod(folder, 0o755)
  await execa('apt-get', ['download', '-qq', kernelPackage, 'busybox-static'], { cwd: folder })
  for (const name of (await readdir(folder)).filter((each) => each.endsWith('.deb')))
    await execa('dpkg', ['-x', name, '.'], { cwd: folder })
  const [version = ''] = await readdir(join(folder, 'lib/modules'))
  await execa('depmod', ['-b', '.', version], { cwd: folder, env: sbin })
  await makeInitialFiles(folder, version, command)

  const machine = execa(
    'qemu-system-x86_64',
    [
      ...['-m', '2048', '-smp', '2', '-nographic', '-no-reboot', '-nic', 'none'],
      ...['-kernel', join(folder, 'boot', `vmlinuz-${version}`), '-initrd', join(folder, 'initrd')],
      ...['-virtfs', 'local,path=/,mount_tag=host,security_model=none,readonly=on,multidevs=remap'],
      // On a busy machine, the kernel's check of its timer fails, and it doesn't start.
      ...['-append', 'console=ttyS0 quiet panic=-1 no_timer_check rdinit=/init'],
    ],
    { stdin: 'ignore', stdout: ['inherit', 'pipe'], reject: false, timeout: 20 * 60_000 },
  )
  const { stdout } = await machine
  const hasPassed = /Tests[^\n]*[^\d][1-9]\d* passed/.test(stripVTControlCharacters(stdout))
  return hasPassed ? Number(/^status (\d+)/m.exec(stdout)?.[1] ?? 1) : 1
}

/** Packs the files from which the kernel starts: busybox, modules in the order of their needs, and a script. */
async function makeInitialFiles(folder: string, version: string, command: string): Promise<void> {
  const files = join(folder, 'initial')
  for (const name of ['bin', 'lib', 'proc', 'host', 'changes', 'root'])
    await mkdir(join(files, name), { recursive: true })
  await copyFile(join(folder, 'bin/busybox'), join(files, 'bin/busybox'))
  const loaded = new Set<string>()
  for (const name of bootModules) {
    const words = ['-d', folder, '-S', version, '--show-depends', name]
    const { stdout } = await execa('modprobe', words, { env: sbin })
    for (const [, module = ''] of stdout.matchAll(/^insmod (\S+)/gm)) loaded.add(module)
  }
  let count = 100
  for (const module of loaded) await copyFile(module, join(files, 'lib', `${(count += 1)}.ko`))
  const modules = join(folder, 'lib/modules', version)
  const inside = [
    'export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    'chmod 755 /run && modprobe tun && modprobe veth && ip link set lo up',
    `cd ${tree} && ${command}`,
    'printf "\\nstatus %s\\n" $?',
    'echo o >/proc/sysrq-trigger; sleep 100',
  ].join('; ')
  const script = `#!/bin/busybox sh
set -e
mount() { /bin/busybox mount "$@"; }
mkdir() { /bin/busybox mkdir -p "$@"; }
mount -t proc proc /proc
for each in /lib/*.ko; do /bin/busybox insmod $each; done
mount -t 9p -o trans=virtio,version=9p2000.L,ro,cache=loose,msize=262144 host /host
mount -t tmpfs -o mode=755 changes /changes
mkdir /changes/upper /changes/work
mount -t overlay -o lowerdir=/host,upperdir=/changes/upper,workdir=/changes/work overlay /root
mount -t proc proc /root/proc
mount -t sysfs sys /root/sys
mount -t devtmpfs dev /root/dev
mkdir /root/lib/modules/${version}
mount --bind /host${modules} /root/lib/modules/${version}
for each in run tmp; do mount -t tmpfs -o mode=1777 $each /root/$each; done
exec /bin/busybox chroot /root /bin/bash -c '${inside}'
`
  await writeFile(join(files, 'init'), script, { mode: 0o755 })
  await execa('/bin/sh', ['-c', 'find . | cpio -o -H newc --quiet | gzip -1 >../initrd'], { cwd: files })
}
