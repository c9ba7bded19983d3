import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, renameSync, rmSync, writeFileSync } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { AppUpdater, UpdateFileInfo, UpdateInfo } from 'electron-updater'
import type { UpdateInstaller } from '../../commands/models/update-model'
import { CausewayError, hasCode } from '../../errors'
import type { FileTransport } from '../../platform/http/file-transport'
import { isDiskFull } from '../../platform/storage/file-system-error'
import type { UpdateFile } from '../../updates/feed'

interface InstallerOptions {
  /** Loads electron-updater, with the first download. */
  readonly load: () => Promise<AppUpdater>
  readonly transport: FileTransport
  /** The arguments for starting again. Only an AppImage gets them: installers start the app themselves. */
  readonly args: readonly string[]
}

/**
 * Installs with electron-updater. The verified feed replaces its own update information, and our transport replaces
 * Electron's requests, which look up no names because the page must not (main/desktop/window/window.ts).
 */
export function createUpdateInstaller({ load, transport, args }: InstallerOptions): UpdateInstaller {
  let ready: { readonly updater: AppUpdater; readonly path: string; readonly file: UpdateFile } | undefined

  /** Downloads and verifies the file. electron-updater deletes what is there after an error. */
  async function downloadTo(
    path: string,
    file: UpdateFile,
    { signal, onProgress }: Parameters<UpdateInstaller['download']>[2],
  ): Promise<void> {
    const request = { headers: {}, signal, namedBy: file.url }
    await transport.get(file.url, request, async ({ status }, body) => {
      if (status !== 200) notDownloaded()
      await pipeline(limited(body, file.size, onProgress), createWriteStream(path))
    })
    await requireSame(path, file)
  }

  return {
    download: async (version, file, options) => {
      ready = undefined
      const updater = await load()
      updater.autoDownload = false
      updater.autoInstallOnAppQuit = false
      updater.allowDowngrade = false
      updater.allowPrerelease = false
      // Of a whole file, the signed checksum vouches for every byte before any of them is used.
      updater.disableDifferentialDownload = true
      updater.disableWebInstaller = true
      updater.logger = null
      const executor = { download: (_url: URL, path: string) => downloadTo(path, file, options) }
      Object.assign(updater, { httpExecutor: executor })
      updater.setFeedURL({ provider: 'custom', updateProvider: providerOf(version, file) })
      const found = await updater.checkForUpdates().catch(notDownloaded)
      if (found?.isUpdateAvailable !== true) notDownloaded()
      const [path] = await updater.downloadUpdate().catch(notDownloaded)
      if (path === undefined) notDownloaded()
      await requireSame(path, file)
      ready = { updater, path, file }
    },
    verify: async () => {
      if (ready === undefined) throw notVerified()
      await requireSame(ready.path, ready.file)
    },
    install: (onFailed) => {
      if (ready === undefined) {
        onFailed(notVerified())
        return
      }
      const { updater } = ready
      const image = appImage()
      try {
        const kept = image === undefined ? undefined : keep(image)
        if (image !== undefined) startWith(updater, args)
        updater.once('error', (error) => {
          kept?.putBack()
          onFailed(error)
        })
        updater.quitAndInstall(false, true)
        kept?.forget()
      } catch (error) {
        onFailed(error)
      }
    },
  }
}

/** Returns the path of the AppImage to replace; undefined elsewhere. */
function appImage(): string | undefined {
  return process.platform === 'linux' ? process.env.APPIMAGE : undefined
}

/** Has electron-updater start the new AppImage with these arguments instead of none. */
function startWith(updater: AppUpdater, args: readonly string[]): void {
  const start = Reflect.get(updater, 'spawnLog') as (...words: unknown[]) => Promise<boolean>
  const spawnLog = (program: string, _none: readonly string[], env: unknown) =>
    start.call(updater, program, args, env)
  Object.assign(updater, { spawnLog })
}

/**
 * Keeps an AppImage until the new one is in its place. electron-updater deletes it first, and may then have to copy the new one to
 * another disk, which may be full.
 */
function keep(image: string): { readonly putBack: () => void; readonly forget: () => void } {
  const kept = `${image}.before-update`
  const putBack = (): void => {
    renameSync(kept, image)
  }
  renameSync(image, kept)
  try {
    // For electron-updater to delete.
    writeFileSync(image, '')
  } catch (error) {
    putBack()
    throw error
  }
  return {
    putBack,
    forget: () => {
      rmSync(kept, { force: true })
    },
  }
}

/** Returns a provider of electron-updater that knows one release. */
function providerOf(version: string, { url, sha512, size }: UpdateFile) {
  const image = appImage()
  // An AppImage keeps its name, by which it is started at login. electron-updater would give it that of the downloaded file.
  const named = image === undefined ? url : new URL(encodeURIComponent(basename(image)), url)
  const info: UpdateFileInfo = { url: image === undefined ? url.href : basename(image), sha512, size }
  return class {
    readonly isUseMultipleRangeRequest = false
    readonly fileExtraDownloadHeaders = null

    setRequestHeaders(): void {
      // They would be for requests of the provider, which makes none.
    }

    getLatestVersion(): Promise<UpdateInfo> {
      return Promise.resolve({ version, files: [info], path: named.href, sha512, releaseDate: '' })
    }

    resolveFiles(): { readonly url: URL; readonly info: UpdateFileInfo }[] {
      return [{ url: named, info }]
    }
  }
}

/** Passes a file on as it arrives. Throws `updates/not-verified` once it is too long: it may never end. */
async function* limited(
  body: AsyncIterable<Uint8Array>,
  size: number,
  onProgress: (received: number) => void,
): AsyncGenerator<Uint8Array> {
  let received = 0
  for await (const chunk of body) {
    received += chunk.byteLength
    if (received > size) throw notVerified()
    onProgress(received)
    yield chunk
  }
}

/**
 * Throws `updates/not-verified` unless the file is the one that the feed's signature vouches for. Deletes any other: electron-updater
 * takes a file that it has downloaded in this process for good as long as it exists, and so would never download it again.
 */
async function requireSame(path: string, { sha512, size }: UpdateFile): Promise<void> {
  const hash = createHash('sha512')
  try {
    if ((await stat(path)).size !== size) throw notVerified()
    await pipeline(createReadStream(path), hash)
    if (hash.digest('base64') !== sha512) throw notVerified()
  } catch (error) {
    await rm(path, { force: true }).catch(() => undefined)
    throw error instanceof CausewayError ? error : notVerified(error)
  }
}

/** Throws `updates/not-downloaded`, or the error of this module or of the transport that says more. */
function notDownloaded(cause?: unknown): never {
  if (hasCode(cause, 'http/cancelled', 'updates/not-verified', 'updates/not-downloaded')) throw cause
  throw new CausewayError('updates/not-downloaded', {
    variant: isDiskFull(cause) ? 'disk-full' : undefined,
    cause,
  })
}

function notVerified(cause?: unknown): CausewayError {
  return new CausewayError('updates/not-verified', { cause })
}
