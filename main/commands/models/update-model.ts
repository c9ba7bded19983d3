import type { UpdateSlice } from '../../../contract/updates'
import { hasCode, toErrorReport } from '../../errors'
import type { UpdateFile } from '../../updates/feed'
import type { NewRelease, Updates } from '../../updates/updates'
import type { UpdateMeans } from '../../updates/update-means'

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

/** Parameters for installing a release. */
export interface UpdateDesktop {
  readonly means: () => Promise<UpdateMeans>
  readonly installer: UpdateInstaller
  /** Asks whether to quit in spite of transfers that are under way. */
  readonly mayQuit: () => Promise<boolean>
  /** Quits, and installs once everything is closed. */
  readonly quitAndInstall: () => void
}

interface UpdateModelOptions {
  readonly updates: () => Promise<Pick<Updates, 'status' | 'onChange' | 'checkIfDue' | 'dismiss' | 'watch'>>
  readonly isConnected: () => boolean
  readonly disconnect: () => Promise<void>
  readonly onChange: () => void
  /** Called with failures to read what is known and to install, for the log. */
  readonly onFailure: (error: unknown) => void
}

type Progress = UpdateSlice['progress']

/** The newer release, and its download and installation, for the window. */
export class UpdateModel {
  readonly #options: UpdateModelOptions
  #desktop: UpdateDesktop | undefined
  #configured = false
  #release: NewRelease | undefined
  #means: UpdateMeans = { means: 'manual' }
  #progress: Progress = { stage: 'none' }
  #working: AbortController | undefined
  #stop: () => void = () => undefined

  constructor(options: UpdateModelOptions) {
    this.#options = options
  }

  get slice(): UpdateSlice {
    const release = this.#release
    return {
      configured: this.#configured,
      progress: this.#progress,
      ...(release === undefined
        ? {}
        : {
            available: {
              version: release.version,
              hasNotes: release.notes !== undefined,
              required: release.required,
              means:
                this.#fileOf(release) === undefined && this.#means.means === 'self'
                  ? 'manual'
                  : this.#means.means,
            },
          }),
    }
  }

  /** The page about the new version. */
  get notes(): URL | undefined {
    return this.#release?.notes
  }

  /** Reads what is known, and looks for new versions from now on, with this timer. Never rejects. */
  async start(
    desktop: UpdateDesktop,
    every: (milliseconds: number, run: () => void) => () => void,
  ): Promise<void> {
    this.#desktop = desktop
    try {
      this.#means = await desktop.means()
      const updates = await this.#options.updates()
      const unsubscribe = updates.onChange(() => void this.#read())
      await this.#read()
      const stopWatching = updates.watch(every)
      this.#stop = () => {
        unsubscribe()
        stopWatching()
      }
    } catch (error) {
      this.#options.onFailure(error)
    }
  }

  /** Follows a change of the settings: looks at once, or hides everything. */
  async settingsChanged(): Promise<void> {
    if (this.#desktop === undefined) return
    await this.#read()
    const updates = await this.#options.updates()
    await updates.checkIfDue().catch(this.#options.onFailure)
  }

  async dismiss(): Promise<void> {
    this.cancel()
    await (await this.#options.updates()).dismiss()
  }

  /**
   * Downloads, verifies and installs the release. Returns `connected`, and installs nothing, while connected without
   * `endsConnection`. Failures are in the slice.
   */
  async install({ endsConnection }: { readonly endsConnection: boolean }): Promise<'done' | 'connected'> {
    const desktop = this.#desktop
    const release = this.#release
    const file = release && this.#fileOf(release)
    if (desktop === undefined || release === undefined || file === undefined) return 'done'
    if (this.#working !== undefined) return 'done'
    const mayInstall = (): boolean => endsConnection || !this.#options.isConnected()
    if (!mayInstall()) return 'connected'
    const working = new AbortController()
    this.#working = working
    try {
      if (this.#progress.stage !== 'ready')
        await this.#download(desktop.installer, release.version, file, working.signal)
      // Somebody may have connected during the download.
      if (!mayInstall()) return 'connected'
      await desktop.installer.verify()
      if (!(await desktop.mayQuit())) return 'done'
      if (this.#options.isConnected()) await this.#options.disconnect()
      desktop.quitAndInstall()
    } catch (error) {
      if (hasCode(error, 'http/cancelled')) {
        this.#setProgress({ stage: 'none' })
      } else {
        this.#options.onFailure(error)
        this.#setProgress({ stage: 'failed', error: toErrorReport(error) })
      }
    } finally {
      this.#working = undefined
    }
    return 'done'
  }

  /** Ends a download; what is downloaded stays. */
  cancel(): void {
    this.#working?.abort()
  }

  dispose(): void {
    this.#stop()
    this.cancel()
  }

  async #download(
    installer: UpdateInstaller,
    version: string,
    file: UpdateFile,
    signal: AbortSignal,
  ): Promise<void> {
    const total = file.size
    this.#setProgress({ stage: 'downloading', received: 0, total })
    await installer.download(version, file, {
      signal,
      onProgress: (received) => {
        if (!signal.aborted) this.#setProgress({ stage: 'downloading', received, total })
      },
    })
    this.#setProgress({ stage: 'ready' })
  }

  #fileOf({ files }: NewRelease): UpdateFile | undefined {
    return this.#means.means === 'self' ? files.get(this.#means.target) : undefined
  }

  /** Reads what is known. Failures are logged, and nothing is offered. */
  async #read(): Promise<void> {
    const before = this.#release
    try {
      const { looks, available, isDismissed } = await (await this.#options.updates()).status()
      this.#configured = looks !== 'not-configured'
      this.#release = isDismissed ? undefined : available
    } catch (error) {
      this.#release = undefined
      this.#options.onFailure(error)
    }
    if (before !== undefined && this.#release?.version !== before.version) {
      this.cancel()
      this.#progress = { stage: 'none' }
    }
    this.#options.onChange()
  }

  #setProgress(progress: Progress): void {
    this.#progress = progress
    this.#options.onChange()
  }
}
