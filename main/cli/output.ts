import type { Writable } from 'node:stream'

/**
 * Lets the program go on when nobody reads the stream any more (as in `causeway profile list | head -1`), which is no
 * failure. Output that is lost for another reason, such as a full disk, makes the exit status 1.
 */
export function survive(stream: Writable): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' || process.exitCode !== undefined) return
    process.exitCode = 1
    process.stderr.write(`causeway: the output could not be written (${error.code ?? error.name}).\n`)
  })
}
