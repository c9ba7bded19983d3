import { hash } from 'node:crypto'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import { expect, it } from 'vitest'

import { downloadModules, windowsService } from './build-helper'
import { bundledGoModules, bundledWintun } from './bundled-software'
import { wintun, wintunLibrary, wintunLicense } from './fetch-wintun'
import { componentList, notices } from './package-files'

/** Returns a zip archive of these files, as Windows' own program makes it. */
function zip(files: Readonly<Record<string, string | Buffer>>): Buffer {
  const contents: Buffer[] = []
  const entries: Buffer[] = []
  let offset = 0
  for (const [name, text] of Object.entries(files)) {
    const [path, content] = [Buffer.from(name), deflateRawSync(text)]
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50)
    local.writeUInt16LE(path.length, 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50)
    entry.writeUInt16LE(8, 10)
    entry.writeUInt32LE(content.length, 20)
    entry.writeUInt16LE(path.length, 28)
    entry.writeUInt32LE(offset, 42)
    contents.push(local, path, content)
    entries.push(entry, path)
    offset += local.length + path.length + content.length
  }
  const list = Buffer.concat(entries)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50)
  end.writeUInt16LE(Object.keys(files).length, 10)
  end.writeUInt32LE(list.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...contents, list, end])
}

const sha256 = (archive: Buffer) => hash('sha256', archive)

it("takes Wintun's library from the pinned archive alone, with the licence that packages contain", async () => {
  const files = {
    'wintun/LICENSE.txt': (await wintunLicense()).replaceAll('\n', '\r\n'),
    'wintun/bin/amd64/wintun.dll': Buffer.from('for x64'),
    'wintun\\bin\\arm64\\wintun.dll': 'for arm64',
  }
  const archive = zip(files)
  expect((await wintunLibrary(archive, 'x64', sha256(archive))).toString()).toBe('for x64')
  expect((await wintunLibrary(archive, 'arm64', sha256(archive))).toString()).toBe('for arm64')
  await expect(wintunLibrary(archive, 'x64')).rejects.toThrow("isn't the expected file")
  const others = zip({ ...files, 'wintun/LICENSE.txt': 'All rights reserved.' })
  await expect(wintunLibrary(others, 'x64', sha256(others))).rejects.toThrow('licence')
  const without = zip({ 'wintun/LICENSE.txt': await wintunLicense() })
  await expect(wintunLibrary(without, 'x64', sha256(without))).rejects.toThrow('wintun/bin/amd64/wintun.dll')
})

it.runIf(await downloadModules(windowsService))(
  'knows the licences of the modules in the service of Windows',
  async () => {
    const modules = await bundledGoModules(join(import.meta.dirname, '..'), 'win32')
    expect(modules.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'golang.org/x/sys',
        'golang.zx2c4.com/wintun',
        'golang.zx2c4.com/wireguard/windows',
      ]),
    )
    expect(modules.map(({ name }) => name)).not.toContain('causeway-helper')
  },
)

it('names Wintun and its terms in the notices and the list of components of Windows', async () => {
  const software = await bundledWintun()
  expect(notices([software])).toContain(
    'except insofar as the Software is distributed alongside\n      other software that uses the Software only via the Permitted API',
  )
  expect(JSON.stringify(componentList([software], '0.1.0', new Date(0)))).toContain(
    '"licenses":[{"license":{"name":"LicenseRef-Wintun"}}]',
  )
  expect(software.purl).toContain(`checksum=sha256:${wintun.sha256}`)
})
