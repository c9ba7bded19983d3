import { AppImageUpdater } from 'electron-updater'
import { randomBytes } from 'node:crypto'
import { appendFile, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createFileTransport } from '../../platform/http/file-transport'
import type { UpdateFile } from '../../updates/feed'
import { sha512, startTestFeed, type TestFeed } from '../../updates/updates.testing'
import type { UpdateInstaller } from '../../commands/models/update-model'
import { createUpdateInstaller } from './update-installer'

const content = randomBytes(300_000)
let feed: TestFeed
let folder: string
let quits: number
let used: AppImageUpdater
let installer: UpdateInstaller

/** electron-updater as in an AppImage, but without Electron, and with folders of the test. */
function updater(): AppImageUpdater {
  return new AppImageUpdater(undefined, {
    version: '1.2.0',
    name: 'causeway',
    isPackaged: true,
    appUpdateConfigPath: join(import.meta.dirname, '../../../build/app-update.yml'),
    userDataPath: join(folder, 'data'),
    baseCachePath: join(folder, 'cache'),
    whenReady: () => Promise.resolve(),
    relaunch: () => undefined,
    quit: () => (quits += 1),
    onQuit: () => undefined,
  })
}

beforeEach(async () => {
  feed = await startTestFeed()
  folder = await mkdtemp(join(tmpdir(), 'causeway-installer-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  vi.stubEnv('APPIMAGE', join(folder, 'Causeway.AppImage'))
  onTestFinished(() => {
    vi.unstubAllEnvs()
  })
  await writeFile(join(folder, 'Causeway.AppImage'), 'old')
  quits = 0
  used = updater()
  installer = createUpdateInstaller({
    load: () => Promise.resolve(used),
    transport: createFileTransport(),
    args: ['--data-dir', '/srv/my data'],
  })
  feed.put('/files/Causeway-1.3.0.AppImage', content)
})

function file(changes: Partial<UpdateFile> = {}): UpdateFile {
  const url = feed.url('/files/Causeway-1.3.0.AppImage')
  return { url, sha512: sha512(content), size: content.length, ...changes }
}

function download(
  which: UpdateFile,
  options: Partial<Parameters<UpdateInstaller['download']>[2]> = {},
): Promise<void> {
  const { signal } = new AbortController()
  return installer.download('1.3.0', which, { signal, onProgress: () => undefined, ...options })
}

const pending = () => join(folder, 'cache/causeway-updater/pending')
const installed = () => readFile(join(folder, 'Causeway.AppImage'))

describe.runIf(process.platform === 'linux')('the installer', () => {
  it('downloads exactly the file that the feed vouches for, and asks for nothing else', async () => {
    await download(file())
    await installer.verify()
    expect(feed.requests().map(({ path }) => path)).toEqual(['/files/Causeway-1.3.0.AppImage'])
    expect(await readFile(join(pending(), 'Causeway.AppImage'))).toEqual(content)
    expect(String(await installed())).toBe('old')
    expect(quits).toBe(0)
  })

  it('verifies a file that it downloaded before, instead of downloading it again', async () => {
    await download(file())
    await download(file())
    expect(feed.requests()).toHaveLength(1)
  })

  it.each([
    ['other bytes', () => ({ sha512: sha512(Buffer.from('other')) })],
    ['fewer bytes', () => ({ size: content.length + 1 })],
    ['more bytes', () => ({ size: content.length - 1 })],
  ])('refuses a file with %s than the feed says', async (_what, changes) => {
    await expect(download(file(changes()))).rejects.toMatchObject({ code: 'updates/not-verified' })
    await expect(installer.verify()).rejects.toMatchObject({ code: 'updates/not-verified' })
    const failures: unknown[] = []
    installer.install((error) => failures.push(error))
    expect(failures).toEqual([expect.objectContaining({ code: 'updates/not-verified' })])
    expect(String(await installed())).toBe('old')
  })

  it('refuses a file that was changed after the download, and downloads it again', async () => {
    await download(file())
    await appendFile(join(pending(), 'Causeway.AppImage'), 'more')
    await expect(installer.verify()).rejects.toMatchObject({ code: 'updates/not-verified' })
    await download(file())
    await installer.verify()
    expect(feed.requests()).toHaveLength(2)
  })

  it('stops a download that is cancelled, and leaves no file', async () => {
    feed.stallAfter(100_000)
    const cancelling = new AbortController()
    const downloading = download(file(), { signal: cancelling.signal })
    downloading.catch(() => undefined)
    await vi.waitUntil(() => feed.requests().length > 0)
    cancelling.abort()
    await expect(downloading).rejects.toMatchObject({ code: 'http/cancelled' })
    expect((await readdir(pending())).filter((name) => name.endsWith('.AppImage'))).toEqual([])
  })

  it('reports a server that does not have the file', async () => {
    feed.fail(404)
    await expect(download(file())).rejects.toMatchObject({ code: 'updates/not-downloaded' })
  })

  it('says that the disk is full', async () => {
    const toFullDisk = () => {
      const executor = Reflect.get(used, 'httpExecutor') as {
        download(from: URL, to: string): Promise<void>
      }
      return executor.download(file().url, '/dev/full')
    }
    installer = createUpdateInstaller({
      load: () => Promise.resolve(Object.assign(used, { downloadUpdate: toFullDisk })),
      transport: createFileTransport(),
      args: [],
    })
    await expect(download(file())).rejects.toMatchObject({
      code: 'updates/not-downloaded',
      variant: 'disk-full',
    })
  })

  it('reports the progress', async () => {
    const received: number[] = []
    await download(file(), { onProgress: (bytes) => received.push(bytes) })
    expect(received.at(-1)).toBe(content.length)
  })

  describe('puts a new AppImage', () => {
    const image = Buffer.from(
      '#!/bin/sh\nprintf "%s\\n" "$@" >"${0%/*}/starting"\nmv "${0%/*}/starting" "${0%/*}/started"\n',
    )

    /** Installs as if the process were quitting. Returns the arguments of the new one, or the failures. */
    async function install(): Promise<unknown> {
      feed.put('/files/Causeway-1.3.0.AppImage', image)
      await download(file({ sha512: sha512(image), size: image.length }))
      vi.spyOn(used, 'quitAndInstall').mockImplementation(() => used.install(false, true))
      const failures: unknown[] = []
      installer.install((error) => failures.push(error))
      if (failures.length > 0) return failures
      return vi.waitFor(() => readFile(join(folder, 'started'), 'utf8'), 10_000)
    }

    const images = async () => (await readdir(folder)).filter((name) => name.startsWith('Causeway'))

    it.each(['Causeway 1.2.0 (100%).AppImage', 'Causeway 1.2.0'])(
      'in the place of the old one, under its name, by which it is started at login: %s',
      async (name) => {
        const old = join(folder, name)
        await rename(join(folder, 'Causeway.AppImage'), old)
        vi.stubEnv('APPIMAGE', old)
        await install()
        expect(await images()).toEqual([name])
        expect(await readFile(old)).toEqual(image)
      },
    )

    it('that starts with the options of the old one, such as another data directory', async () => {
      expect(await install()).toBe('--data-dir\n/srv/my data\n')
    })

    it('nowhere, and keeps the old one, if there is no space left to move it', async () => {
      const programs = join(folder, 'bin')
      await mkdir(programs)
      const mv = '#!/bin/sh\nprintf part >"$3"\nexit 1\n'
      await writeFile(join(programs, 'mv'), mv, { mode: 0o755 })
      vi.stubEnv('PATH', programs)
      expect(await install()).toEqual([expect.objectContaining({ status: 1 })])
      expect(await images()).toEqual(['Causeway.AppImage'])
      expect(String(await installed())).toBe('old')
    })
  })

  it('downloads nothing for an older version', async () => {
    const options = { signal: new AbortController().signal, onProgress: () => undefined }
    await expect(installer.download('1.1.0', file(), options)).rejects.toMatchObject({
      code: 'updates/not-downloaded',
    })
    expect(feed.requests()).toEqual([])
  })
})
