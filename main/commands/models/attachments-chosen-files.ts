import { basename, isAbsolute } from 'node:path'
import { z } from 'zod'
import type { ChosenFiles } from '../../../contract/attachments'
import type { CommandResult } from '../../../contract/commands'
import { editableText } from '../../../contract/safe-text'
import { extensionOf, inspectFile, titleOf } from '../../services/attachments/local-file'
import { CausewayError, toErrorReport } from '../../errors'

/** The most files in one choice. */
const maxAtOnce = 1000
const maxKept = 10_000

const droppedPaths = z.array(z.string().max(32_768).refine(isAbsolute)).max(maxAtOnce)

/**
 * Gives an id to each file that the user chose in a system dialog or dropped on the window. The page only knows these ids, so
 * it can't upload any other file of this computer.
 */
export class AttachmentsChosenFiles {
  readonly #paths = new Map<string, string>()
  #count = 0

  /** Checks these absolute paths; returns files that can't be uploaded with the reason. */
  async offer(paths: readonly string[]): Promise<ChosenFiles> {
    const chosen: ChosenFiles = { files: [], refused: [] }
    for (const path of paths.slice(0, maxAtOnce)) {
      const name = editableText(basename(path))
      try {
        const { size } = await inspectFile(path)
        extensionOf(path)
        chosen.files.push({ fileId: this.#keep(path), name, title: titleOf(path), bytes: size })
      } catch (error) {
        chosen.refused.push({ name, error: toErrorReport(error) })
      }
    }
    return chosen
  }

  /**
   * Same as `offer`, for the paths of dropped files from the preload script. They come from the page's process, so they are
   * of no use until the user has confirmed them.
   */
  async offerDropped(
    paths: unknown,
    confirm: (paths: readonly string[]) => Promise<boolean>,
  ): Promise<CommandResult<'chooseFiles'>> {
    const dropped = droppedPaths.safeParse(paths)
    if (!dropped.success) return refused(new CausewayError('usage/invalid-argument'))
    // What is dragged from a web page has no path.
    if (dropped.data.length === 0)
      return refused(new CausewayError('attachments/file-unreadable', { variant: 'not-of-this-computer' }))
    return { ok: true, value: await this.offer((await confirm(dropped.data)) ? dropped.data : []) }
  }

  /** Returns the path of a chosen file. Throws `attachments/file-unreadable`. */
  path(fileId: string): string {
    const path = this.#paths.get(fileId)
    if (path !== undefined) return path
    throw new CausewayError('attachments/file-unreadable', { variant: 'not-chosen' })
  }

  #keep(path: string): string {
    this.#count += 1
    const fileId = String(this.#count)
    this.#paths.set(fileId, path)
    const [oldest] = this.#paths.keys()
    if (this.#paths.size > maxKept && oldest !== undefined) this.#paths.delete(oldest)
    return fileId
  }
}

function refused(error: CausewayError): CommandResult<'chooseFiles'> {
  return { ok: false, error: toErrorReport(error) }
}
