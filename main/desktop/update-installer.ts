import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { AppUpdater, UpdateFileInfo, UpdateInfo } from 'electron-updater'
import { CausewayError } from '../errors'
import { requestCancelled } from '../platform/http/failure'
import { userAgent } from '../platform/http/user-agent'
import type { UpdateFile } from '../updates/feed'

/** Gets a release onto this computer and installs it. */
export interface UpdateInstaller {
  /**
   * Downloads and verifies the file of a release. A file that was downloaded before is only verified. Throws
   * `updates/not-downloaded`, `updates/not-verified`, `http/cancelled`.
   */
  download(
    version: string,
    file: UpdateFile,
    options: { readonly signal: AbortSignal; readonly onProgress: (received: number) => void },
  ): Promise<void>
  /** Verifies the downloaded file again. Throws `updates/not-verified`. */
  verify(): Promise<void>
  /** Hands the file to the system's installer and quits. Calls back if that fails. */
  install(onFailed: (error: unknown) => void): void
}

/**
 * Installs with electron-updater, which is loaded with the first download. The verified feed takes the place of its own update
 * information: electron-updater makes no request but the one for the file.
 */
export function createUpdateInstaller(load: () => Promise<AppUpdater>): UpdateInstaller {
  let ready: { readonly updater: AppUpdater; readonly path: string; readonly file: UpdateFile } | undefined

  async function downloadTo(
    updater: AppUpdater,
    file: UpdateFile,
    { signal, onProgress }: Parameters<UpdateInstaller['download']>[2],
  ): Promise<string> {
    const { CancellationToken } = await import('electron-updater')
    const token = new CancellationToken()
    const cancel = (): void => {
      token.cancel()
    }
    const follow = ({ transferred }: { readonly transferred: number }): void => {
      // A file that is too long can't be the right one, and may never end.
      if (transferred > file.size) cancel()
      else onProgress(transferred)
    }
    signal.addEventListener('abort', cancel)
    updater.on('download-progress', follow)
    try {
      signal.throwIfAborted()
      const [path] = await updater.downloadUpdate(token)
      if (path === undefined) throw new Error('Nothing was downloaded.')
      return path
    } catch (error) {
      if (signal.aborted) throw requestCancelled()
      const isOther =
        token.cancelled || (error as { readonly code?: unknown }).code === 'ERR_CHECKSUM_MISMATCH'
      throw isOther ? notVerified() : new CausewayError('updates/not-downloaded', { cause: error })
    } finally {
      signal.removeEventListener('abort', cancel)
      updater.off('download-progress', follow)
    }
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
      updater.requestHeaders = { 'User-Agent': userAgent }
      updater.setFeedURL({ provider: 'custom', updateProvider: providerOf(version, file) })
      const found = await updater.checkForUpdates().catch((cause: unknown) => {
        throw new CausewayError('updates/not-downloaded', { cause })
      })
      if (found?.isUpdateAvailable !== true) throw new CausewayError('updates/not-downloaded')
      const path = await downloadTo(updater, file, options)
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
      ready.updater.once('error', onFailed)
      ready.updater.quitAndInstall(false, true)
    },
  }
}

/** Returns a provider of electron-updater that knows one release. */
function providerOf(version: string, { url, sha512, size }: UpdateFile) {
  const info: UpdateFileInfo = { url: url.href, sha512, size }
  return class {
    readonly isUseMultipleRangeRequest = false
    readonly fileExtraDownloadHeaders = null

    setRequestHeaders(): void {
      // They would be for requests of the provider, which makes none.
    }

    getLatestVersion(): Promise<UpdateInfo> {
      return Promise.resolve({ version, files: [info], path: url.href, sha512, releaseDate: '' })
    }

    resolveFiles(): { readonly url: URL; readonly info: UpdateFileInfo }[] {
      return [{ url, info }]
    }
  }
}

/** Throws `updates/not-verified` unless the file is the one that the feed's signature vouches for. */
async function requireSame(path: string, { sha512, size }: UpdateFile): Promise<void> {
  const hash = createHash('sha512')
  try {
    if ((await stat(path)).size !== size) throw notVerified()
    await pipeline(createReadStream(path), hash)
  } catch (error) {
    throw error instanceof CausewayError ? error : notVerified(error)
  }
  if (hash.digest('base64') !== sha512) throw notVerified()
}

function notVerified(cause?: unknown): CausewayError {
  return new CausewayError('updates/not-verified', { cause })
}
