import type { Writable } from 'node:stream'

/** Text as a terminal may show it: without control or direction characters but line ends. */
export function printable(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(/[\t\p{Zl}\p{Zp}]/gu, ' ')
    .replaceAll(/[^\P{C}\n]/gu, '')
}

/** The same in one line, so that no text poses as another message. */
export function printableLine(text: string): string {
  return printable(text).replaceAll(/\s*\n\s*/g, ' ')
}

/**
 * Lets the program go on when nobody reads the stream any more (as in `causeway profile list | head -1`), which is no
 * failure. Output that is lost for another reason, such as a full disk, makes the exit status 1.
 */
export function survive(stream: Writable): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' || process.exitCode !== undefined) return
    process.exitCode = 1
    process.stderr.write(`causeway: couldn't write the output (${error.code ?? error.name}).
`)
  })
}
