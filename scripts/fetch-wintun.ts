import { hash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inflateRawSync } from 'node:zlib'
import { isStarted } from './program'

/**
 * Fetches Wintun's library for a package for Windows, unchanged, as its licence demands (build/licenses/wintun.txt). It comes from
 * the archive of its authors, whose checksum is pinned.
 */

export const wintun = {
  version: '0.14.1',
  archive: 'https://www.wintun.net/builds/wintun-0.14.1.zip',
  sha256: '07c256185d6ee3652e09fa55c0b673e2624b565e02c4b9091c79ca7d2f24ef51',
} as const

/** The files of the archive. */
const license = 'wintun/LICENSE.txt'
const libraries = { x64: 'wintun/bin/amd64/wintun.dll', arm64: 'wintun/bin/arm64/wintun.dll' } as const

export type WintunArchitecture = keyof typeof libraries

const tree = join(import.meta.dirname, '..')

/** Returns the text of Wintun's licence, as the notices of packages have it. */
export async function wintunLicense(): Promise<string> {
  return (await readFile(join(tree, 'build', 'licenses', 'wintun.txt'), 'utf8')).trim()
}

/**
 * Returns the library for a processor, from an archive that has the pinned checksum and the known licence.
 *
 * @throws Error for any other archive
 */
export async function wintunLibrary(
  archive: Buffer,
  architecture: WintunArchitecture,
  sha256: string = wintun.sha256,
): Promise<Buffer> {
  if (hash('sha256', archive) !== sha256) throw new Error("Wintun's archive isn't the expected file.")
  const words = (text: string) => text.replaceAll(/\s+/g, ' ').trim()
  if (words(zipEntry(archive, license).toString()) !== words(await wintunLicense()))
    throw new Error("Wintun's licence isn't that of build/licenses/wintun.txt.")
  return zipEntry(archive, libraries[architecture])
}

const signatures = { end: 0x06054b50, entry: 0x02014b50 }
const [stored, deflated] = [0, 8]

/** Returns a file of a zip archive that is known to be well-formed (APPNOTE.TXT, 4.3). */
function zipEntry(archive: Buffer, name: string): Buffer {
  const end = archive.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  if (end < 0 || archive.readUInt32LE(end) !== signatures.end)
    throw new Error("Wintun's archive has no list.")
  let at = archive.readUInt32LE(end + 16)
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (archive.readUInt32LE(at) !== signatures.entry) break
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) =>
      archive.readUInt16LE(at + offset),
    )
    // Some programs for Windows write backslashes.
    const found = archive.toString('utf8', at + 46, at + 46 + (nameLength ?? 0)).replaceAll('\\', '/')
    if (found === name) {
      const local = archive.readUInt32LE(at + 42)
      const begin = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28)
      const content = archive.subarray(begin, begin + archive.readUInt32LE(at + 20))
      const method = archive.readUInt16LE(at + 10)
      if (method === stored) return content
      if (method === deflated) return inflateRawSync(content)
    }
    at += 46 + (nameLength ?? 0) + (extraLength ?? 0) + (commentLength ?? 0)
  }
  throw new Error(`Wintun's archive has no ${name} that can be read.`)
}

/** Downloads the archive, or reads it from the file that CAUSEWAY_WINTUN names. */
async function readArchive(): Promise<Buffer> {
  const file = process.env.CAUSEWAY_WINTUN ?? ''
  if (file !== '') return readFile(file)
  const response = await fetch(wintun.archive)
  if (!response.ok) throw new Error(`Wintun can't be downloaded: ${String(response.status)}.`)
  return Buffer.from(await response.arrayBuffer())
}

if (isStarted(import.meta.url)) {
  const [folder, architecture] = process.argv.slice(2)
  if (folder === undefined || (architecture !== 'x64' && architecture !== 'arm64'))
    throw new Error('Name a folder, and x64 or arm64.')
  const library = await wintunLibrary(await readArchive(), architecture)
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'wintun.dll'), library)
}
