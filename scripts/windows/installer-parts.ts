import { type ChildProcess, spawn } from 'node:child_process'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { msiProjectCreated } from '../../build/msi-project.mjs'
import type { Windows } from './computer'

/** Parts of the installer's tests: NSIS programs, a stand-in for OpenVPN's MSI, and its signatures. */

const root = join(import.meta.dirname, '..', '..')
const sources = join(import.meta.dirname, 'installer')

/** Starts a screen, which message boxes need; returns its name. It stays as it is when its last program ends. */
export async function startScreen(): Promise<{ readonly name: string; readonly end: () => void }> {
  const screen = spawn('Xvfb', ['-displayfd', '1', '-noreset', '-screen', '0', '800x600x24'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [number] = (await once(screen.stdout, 'data')) as [Buffer]
  return { name: `:${number.toString().trim()}`, end: () => void screen.kill() }
}

/** The OpenVPN that an installer offers, in place of that in build/windows/openvpn.nsh. */
export interface Offer {
  readonly oldestMajor?: number
  readonly releases?: string
  readonly publisher?: string
  readonly sha256: string
}

/** The name of the file that installers of the tests look for. */
export const openVpnFile = 'OpenVPN-test.msi'

async function makensis(source: string, output: string, ...words: readonly string[]): Promise<void> {
  await execa('makensis', ['-V2', '-WX', '-INPUTCHARSET', 'UTF8', ...words, `-XOutFile ${output}`, source])
}

/** Makes Causeway's part of the installer with another OpenVPN to offer. */
export async function makeInstaller(folder: string, output: string, offer: Offer): Promise<void> {
  const scripts = join(folder, 'windows')
  await cp(join(root, 'build', 'windows'), scripts, { recursive: true })
  const values = {
    OPENVPN_OLDEST_MAJOR: String(offer.oldestMajor ?? 2),
    OPENVPN_OLDEST_MINOR: '5',
    OPENVPN_VERSION: '2.6.19',
    OPENVPN_RELEASES: offer.releases ?? 'http://127.0.0.1:9/none',
    OPENVPN_PUBLISHER: offer.publisher ?? 'OpenVPN Inc.',
    OPENVPN_FILE: openVpnFile,
    OPENVPN_SHA256: offer.sha256,
  }
  const lines = Object.entries(values).map(([name, value]) => `!define ${name} "${value}"\n`)
  await writeFile(join(scripts, 'openvpn.nsh'), lines.join(''))
  await makensis(join(sources, 'part.nsi'), output, `-DBUILD_RESOURCES_DIR=${folder}`)
}

/** Makes a program that writes Causeway's part of the uninstaller; `makeInstaller` has copied the scripts. */
export async function makeUninstaller(folder: string, output: string): Promise<void> {
  await makensis(join(sources, 'uninstaller.nsi'), output, `-DBUILD_RESOURCES_DIR=${folder}`)
}

/** Starts a program that answers the questions of an installer; returns how to end it and get them. */
export async function startAnswers(
  windows: Windows,
  folder: string,
  answer: 'yes' | 'no',
): Promise<() => Promise<string>> {
  const program = join(windows.unixPath(folder), 'answers.exe')
  const asked = join(windows.unixPath(folder), 'asked')
  await rm(asked, { force: true })
  await makensis(join(sources, 'answers.nsi'), program, `-DANSWER=${answer === 'yes' ? '6' : '7'}`)
  const running: ChildProcess = windows.spawn(`${folder}\\answers.exe`)
  const ended = once(running, 'exit')
  return async () => {
    running.kill('SIGKILL')
    await ended
    return readFile(asked, 'utf16le').catch(() => '')
  }
}

/** A file in place of OpenVPN's MSI. */
export interface Msi {
  readonly path: string
  readonly sha256: string
}

async function msi(path: string): Promise<Msi> {
  return { path, sha256: hash('sha256', await readFile(path)) }
}

export async function makeMsi(folder: string): Promise<Msi> {
  const path = join(folder, 'unsigned.msi')
  await execa('wixl', ['--arch', 'x64', '--output', path, join(sources, 'openvpn.xml')])
  return msi(path)
}

/** Makes a stand-in for Causeway's MSI, with the check of its folder and the service, which is in the folder; returns its path. */
export async function makeCausewayMsi(folder: string, version = '1.0.0'): Promise<string> {
  // wixl finds the files of a project in the working directory only.
  const project = join(folder, 'causeway.xml')
  const text = await readFile(join(sources, 'causeway.xml'), 'utf8')
  await writeFile(project, text.replace('Version="1.0.0"', `Version="${version}"`))
  await msiProjectCreated(project)
  // It knows no texts of errors.
  await writeFile(project, (await readFile(project, 'utf8')).replace(/<UI>.*<\/UI>/, ''))
  const file = `causeway-${version}.msi`
  await execa('wixl', ['--arch', 'x64', '--output', file, 'causeway.xml'], { cwd: folder })
  // It makes an action of the installation of one that undoes it, which WiX doesn't: in the script, for a rollback.
  const query = "UPDATE `CustomAction` SET `Type` = 3410 WHERE `Action` = 'undoService' AND `Type` = 2130"
  await execa('msibuild', [file, '-q', query], { cwd: folder })
  return join(folder, file)
}

/** Returns the rows of a table of an MSI, without those that name and describe its columns. */
export async function msiTable(file: string, table: string): Promise<string[][]> {
  const { stdout } = await execa('msiinfo', ['export', file, table])
  return stdout
    .split(/\r?\n/)
    .slice(3)
    .map((row) => row.split('\t'))
}

/** Signs a file with a new certificate for a publisher, which an authority of the tests vouches for. */
export async function sign({ path }: Msi, folder: string, publisher: string): Promise<Msi> {
  const file = (name: string) => join(folder, `${publisher}-${name}`)
  const openssl = async (...words: readonly string[]) => {
    await execa('openssl', words)
  }
  const key = ['-newkey', 'rsa:2048', '-nodes', '-keyout']
  await openssl('req', '-x509', ...key, file('ca.key'), '-out', file('ca.pem'), '-subj', '/CN=Tests')
  await openssl('req', ...key, file('key'), '-out', file('csr'), '-subj', `/O=${publisher}/CN=${publisher}`)
  await writeFile(file('extensions'), 'extendedKeyUsage=codeSigning\n')
  const authority = ['-CA', file('ca.pem'), '-CAkey', file('ca.key'), '-set_serial', '1']
  const request = ['x509', '-req', '-in', file('csr'), '-extfile', file('extensions')]
  await openssl(...request, ...authority, '-out', file('pem'))
  const signed = file('signed.msi')
  const words = ['-certs', file('pem'), '-ac', file('ca.pem'), '-key', file('key'), '-in', path]
  await execa('osslsigncode', ['sign', ...words, '-out', signed])
  return msi(signed)
}
