import type { Writable } from 'node:stream'
import { t } from './language'

/**
 * Keeps the program running when the reader of the stream is gone (as in `causeway profile list | head -1`), which is not a
 * failure. Output lost for another reason, such as a full disk, sets the exit status 1.
 */
export function survive(stream: Writable): void {
  stream.on('error', tellLost)
}

/** Handles the error of a stream whose output is lost. */
export function tellLost(error: NodeJS.ErrnoException): void {
  // The status of success is set before the output of --help is lost.
  if (error.code === 'EPIPE' || Number(process.exitCode ?? 0) !== 0) return
  process.exitCode = 1
  process.stderr.write(`causeway: ${t('terminal.notWritten', { code: error.code ?? error.name })}\n`)
}

/** Resolves when the reader of the stream has taken all that was written, or is gone. */
export async function written(stream: Writable): Promise<void> {
  if (stream.writableLength === 0) return
  await new Promise<void>((resolve) => {
    stream.write('', () => {
      resolve()
    })
  })
}
