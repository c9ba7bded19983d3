import { copyFile, mkdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { execa } from 'execa'
import { inTemporaryFolder, run, sbin } from './program'

/** Releases of Debian with an OpenVPN that is older or newer than that of most computers. */
export const otherOpenVpns = [
  { version: '2.5', release: 'bullseye' },
  { version: '2.7', release: 'sid' },
] as const

/** Where the program finds its libraries: an empty folder of every Debian. */
const shelf = '/media'

/** The tests that start OpenVPN. */
const tests = ['main/tunnel/openvpn', 'main/cli/kills.test.ts', 'mock-server/vpn/tunnel']

/**
 * Runs the tests of OpenVPN with that of another release of Debian and its own libraries. It takes the place of /usr/sbin/openvpn for
 * these tests alone, in a mount namespace. Needs root, debootstrap and patchelf.
 *
 * @param version the first two numbers of the version, such as 2.7
 * @returns the exit status of Vitest, and the whole version
 * @throws if the release has another version by now
 */
export async function testWithOpenVpn(
  version: string,
  release: string,
): Promise<{ readonly status: number; readonly used: string }> {
  return inTemporaryFolder('openvpn', async (folder) => {
    const root = join(folder, 'debian')
    await execa('debootstrap', ['--variant=minbase', '--include=openvpn', release, root], { env: sbin })
    // Version 2.5 ends with status 1 after its version.
    const { stdout } = await execa('chroot', [root, 'openvpn', '--version'], { env: sbin, reject: false })
    const [used = ''] = /^OpenVPN \S+/.exec(stdout) ?? []
    console.log(used)
    if (!used.startsWith(`OpenVPN ${version}.`))
      throw new Error(`${release} has ${used} instead of version ${version}.`)
    const programs = join(folder, 'programs')
    await copyOpenVpn(root, programs)
    const script = `mount --bind "$1" ${shelf}; mount --bind ${shelf}/openvpn /usr/sbin/openvpn; shift; exec "$@"`
    const words = ['npx', '--no-install', 'vitest', 'run', ...tests]
    const status = await run(['unshare', '--mount', 'sh', '-ec', script, 'sh', programs, ...words], sbin)
    return { status, used: `${used} of Debian ${release}` }
  })
}

/** Copies the program and its libraries, so that it finds them on the shelf. */
async function copyOpenVpn(root: string, folder: string): Promise<void> {
  await mkdir(folder, { mode: 0o755 })
  const { stdout } = await execa('chroot', [root, 'ldd', '/usr/sbin/openvpn'], { env: sbin })
  const libraries = [...stdout.matchAll(/(\/\S+) \(0x/g)].map(([, path = '']) => path)
  for (const path of ['/usr/sbin/openvpn', ...libraries]) {
    // A link of that system leads to a path in it.
    const { stdout: file } = await execa('chroot', [root, 'realpath', path], { env: sbin })
    await copyFile(join(root, file), join(folder, basename(path)))
  }
  const loader = libraries.map((path) => basename(path)).find((name) => name.startsWith('ld-linux'))
  if (loader === undefined) throw new Error(`OpenVPN of ${root} names no loader.`)
  const words = ['--set-interpreter', `${shelf}/${loader}`, '--force-rpath', '--set-rpath', shelf]
  await execa('patchelf', [...words, join(folder, 'openvpn')])
}
