import { writeFile } from 'node:fs/promises'

interface MarkDownloadOptions {
  readonly platform: NodeJS.Platform
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Runs a program; rejects if it fails. */
  readonly run: (program: string, args: readonly string[]) => Promise<unknown>
}

/**
 * Marks a file as downloaded from the internet, as browsers do, so that the system warns before running it. The mark
 * contains no address, because file addresses are secrets. Returns false if the disk does not support it. Linux has no such
 * mark.
 */
export async function markDownload(
  path: string,
  { platform, now, run }: MarkDownloadOptions,
): Promise<boolean> {
  try {
    // Zone 3 is the internet.
    if (platform === 'win32') await writeFile(`${path}:Zone.Identifier`, '[ZoneTransfer]\r\nZoneId=3\r\n')
    if (platform === 'darwin') {
      const seconds = Math.floor(now() / 1000).toString(16)
      await run('/usr/bin/xattr', ['-w', 'com.apple.quarantine', `0081;${seconds};Causeway;`, path])
    }
    return true
  } catch {
    return false
  }
}
