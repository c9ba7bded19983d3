import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { markDownload } from './mark-download'

async function download(): Promise<{ readonly folder: string; readonly path: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-mark-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'a.docx')
  await writeFile(path, 'content')
  return { folder, path }
}

/** Returns the options for a platform, and records the programs that run. */
function on(platform: NodeJS.Platform, outcome: () => Promise<unknown> = () => Promise.resolve()) {
  const ran: (readonly string[])[] = []
  return {
    ran,
    options: {
      platform,
      now: () => Date.UTC(2026, 10, 20, 18, 29, 34),
      run: (program: string, args: readonly string[]) => {
        ran.push([program, ...args])
        return outcome()
      },
    },
  }
}

it.skipIf(process.platform === 'win32')(
  'writes the internet zone on Windows, without an address',
  async () => {
    const { folder, path } = await download()
    const { options, ran } = on('win32')
    expect(await markDownload(path, options)).toBe(true)
    // On other systems the stream is a file of that name.
    expect(await readFile(`${path}:Zone.Identifier`, 'utf8')).toBe('[ZoneTransfer]\r\nZoneId=3\r\n')
    expect(await readFile(path, 'utf8')).toBe('content')
    expect(await readdir(folder)).toHaveLength(2)
    expect(ran).toEqual([])
  },
)

it('sets the quarantine attribute on macOS, without an address', async () => {
  const { folder, path } = await download()
  const { options, ran } = on('darwin')
  expect(await markDownload(path, options)).toBe(true)
  expect(ran).toEqual([['/usr/bin/xattr', '-w', 'com.apple.quarantine', '0081;6b00918e;Causeway;', path]])
  expect(await readdir(folder)).toEqual(['a.docx'])
})

it('does not mark on Linux', async () => {
  const { folder, path } = await download()
  const { options, ran } = on('linux')
  expect(await markDownload(path, options)).toBe(true)
  expect(ran).toEqual([])
  expect(await readdir(folder)).toEqual(['a.docx'])
})

it('returns false if the file cannot be marked', async () => {
  const { path } = await download()
  const failing = on('darwin', () => Promise.reject(new Error('no attributes here')))
  expect(await markDownload(path, failing.options)).toBe(false)
  expect(await markDownload(join(path, 'no folder'), on('win32').options)).toBe(false)
})
