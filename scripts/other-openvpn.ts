import { createHash } from 'node:crypto'
import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { execa } from 'execa'
import { inTemporaryFolder, run, sbin } from './program'
import { slowTests } from './slow-files'

/** An OpenVPN that is older or newer than that of most computers. */
type OtherOpenVpn =
  | { readonly version: string; readonly release: string }
  | { readonly version: string; readonly package: string; readonly sha256: string }

export const otherOpenVpns: readonly OtherOpenVpn[] = [
  {
    version: '2.5',
    // Ubuntu 22.04's, which runs with the libraries of Debian 12 and newer.
    package: 'http://archive.ubuntu.com/ubuntu/pool/main/o/openvpn/openvpn_2.5.11-0ubuntu0.22.04.6_amd64.deb',
    sha256: '7da8676e47ca6112c913812c84e587433e263fdc227a758bfbd71ec56f4a4afc',
  },
  { version: '2.7', release: 'sid' },
]

/** Where the program finds its libraries: an empty folder of every Debian. */
const shelf = '/media'

/** The tests that start OpenVPN. */
const tests = ['main/tunnel/openvpn', 'main/cli/kills.test.ts', 'mock-server/vpn/tunnel']

/**
 * Runs the tests of OpenVPN with another version, which takes the place of /usr/sbin/openvpn for these tests alone, in a mount
 * namespace. Needs root; debootstrap and patchelf for that of a release of Debian, which keeps its own libraries.
 *
 * @returns the exit status of Vitest, and the whole version
 * @throws if the release or the package has another version by now
 */
export async function testWithOpenVpn(
  other: OtherOpenVpn,
): Promise<{ readonly status: number; readonly used: string }> {
  return inTemporaryFolder('openvpn', async (folder) => {
    const programs = join(folder, 'programs')
    await mkdir(programs, { mode: 0o755 })
    await ('release' in other
      ? copyFromRelease(other.release, folder, programs)
      : copyFromPackage(other, folder, programs))
    const place = `mount --bind "$1" ${shelf}; mount --bind ${shelf}/openvpn /usr/sbin/openvpn`
    const inPlace = (...words: readonly string[]) =>
      ['unshare', '--mount', 'sh', '-ec', `${place}; shift; exec "$@"`, 'sh', programs, ...words] as const
    const [unshare, ...version] = inPlace('openvpn', '--version')
    // Version 2.5 ends with status 1 after its version.
    const { stdout } = await execa(unshare, version, { env: sbin, reject: false })
    const [used = ''] = /^OpenVPN \S+/.exec(stdout) ?? []
    console.log(used)
    if (!used.startsWith(`OpenVPN ${other.version}.`))
      throw new Error(`This is ${used} instead of version ${other.version}.`)
    return {
      status: await run(inPlace('npx', '--no-install', 'vitest', 'run', ...tests), { ...sbin, ...slowTests }),
      used,
    }
  })
}

async function copyFromPackage(
  { package: address, sha256 }: Extract<OtherOpenVpn, { package: string }>,
  folder: string,
  programs: string,
): Promise<void> {
  const answer = await fetch(address)
  if (!answer.ok) throw new Error(`${address} answers ${answer.status}.`)
  const content = Buffer.from(await answer.arrayBuffer())
  const found = createHash('sha256').update(content).digest('hex')
  if (found !== sha256) throw new Error(`${address} has the SHA-256 ${found} instead of ${sha256}.`)
  const file = join(folder, 'openvpn.deb')
  await writeFile(file, content)
  await execa('dpkg-deb', ['--extract', file, join(folder, 'package')])
  await copyFile(join(folder, 'package/usr/sbin/openvpn'), join(programs, 'openvpn'))
}

/** Copies the program of a release of Debian and its libraries, so that it finds them on the shelf. */
async function copyFromRelease(release: string, folder: string, programs: string): Promise<void> {
  const root = join(folder, 'debian')
  await execa('debootstrap', ['--variant=minbase', '--include=openvpn', release, root], { env: sbin })
  const { stdout } = await execa('chroot', [root, 'ldd', '/usr/sbin/openvpn'], { env: sbin })
  const libraries = [...stdout.matchAll(/(\/\S+) \(0x/g)].map(([, path = '']) => path)
  for (const path of ['/usr/sbin/openvpn', ...libraries]) {
    // A link of that system leads to a path in it.
    const { stdout: file } = await execa('chroot', [root, 'realpath', path], { env: sbin })
    await copyFile(join(root, file), join(programs, basename(path)))
  }
  const loader = libraries.map((path) => basename(path)).find((name) => name.startsWith('ld-linux'))
  if (loader === undefined) throw new Error(`OpenVPN of ${root} names no loader.`)
  const words = ['--set-interpreter', `${shelf}/${loader}`, '--force-rpath', '--set-rpath', shelf]
  await execa('patchelf', [...words, join(programs, 'openvpn')])
}
