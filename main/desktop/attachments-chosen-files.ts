import { basename, isAbsolute } from 'node:path'
import { z } from 'zod'
import type { ChosenFiles } from '../../contract/attachments'
import type { CommandResult } from '../../contract/commands'
import { withoutReordering } from '../services/attachments/file-name'
import { extensionOf, inspectFile, titleOf } from '../services/attachments/local-file'
import { CausewayError, toErrorReport } from '../errors'

/** As many as a person chooses at a time. */
const mostAtOnce = 1000
const mostKept = 10_000

const droppedPaths = z.array(z.string().max(32_768).refine(isAbsolute)).max(mostAtOnce)

/**
 * The files that the person has chosen in a window of the system or dropped on ours, each under a number: the page names them by
 * it, so that it can have no other file of this computer uploaded.
 */
export class AttachmentsChosenFiles {
  readonly #paths = new Map<string, string>()
  #count = 0

  /** Looks at each of these absolute paths; those that cannot be uploaded come back with the reason. */
  async offer(paths: readonly string[]): Promise<ChosenFiles> {
    const chosen: ChosenFiles = { files: [], refused: [] }
    for (const path of paths.slice(0, mostAtOnce)) {
      const name = withoutReordering(basename(path))
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

  /** The same for the paths that the preload script found for what was dropped on the window. */
  async offerDropped(paths: unknown): Promise<CommandResult<'chooseFiles'>> {
    const dropped = droppedPaths.safeParse(paths)
    if (dropped.success) return { ok: true, value: await this.offer(dropped.data) }
    const error = new CausewayError(
      'usage/invalid-argument',
      "These aren't files on this computer. Choose other files.",
    )
    return { ok: false, error: toErrorReport(error) }
  }

  /** The path of a file that was chosen. Throws `attachments/file-unreadable`. */
  path(fileId: string): string {
    const path = this.#paths.get(fileId)
    if (path !== undefined) return path
    throw new CausewayError('attachments/file-unreadable', "This file hasn't been chosen. Choose it again.")
  }

  #keep(path: string): string {
    this.#count += 1
    const fileId = String(this.#count)
    this.#paths.set(fileId, path)
    const [oldest] = this.#paths.keys()
    if (this.#paths.size > mostKept && oldest !== undefined) this.#paths.delete(oldest)
    return fileId
  }
}
