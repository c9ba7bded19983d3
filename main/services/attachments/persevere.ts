import { CausewayError, hasCode } from '../../errors'
import { printable } from '../../platform/http/printable'

/** What one transfer tells of itself on its way. */
export interface TransferSteps {
  readonly signal: AbortSignal
  enter(state: 'preparing' | 'transferring'): void
  progressed(bytes: number, totalBytes: number | undefined): void
  /** Waits before the next attempt, unless somebody wants it now. Throws `http/cancelled`. */
  pause(attempt: number): Promise<void>
}

const mostAttempts = 4

/** Bytes after which a lost connection counts as the first one again. */
const worthBytes = 1024 * 1024

/**
 * Makes attempts until one does not end in a lost connection or a passing refusal, four at most; one that got on counts
 * as the first. `moved` says how many bytes the last attempt has moved for good.
 */
export async function persevere<T>(
  steps: TransferSteps,
  attempt: () => Promise<T>,
  moved: () => number = () => 0,
): Promise<T> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await attempt()
    } catch (error) {
      if (moved() >= worthBytes) attempts = 1
      if (!isPassing(error) || attempts >= mostAttempts) throw error
      await steps.pause(attempts)
    }
  }
}

const passingStatuses: readonly unknown[] = [408, 429, 500, 502, 503, 504]

function isPassing(error: unknown): boolean {
  if (hasCode(error, 'http/unreachable', 'http/timed-out')) return true
  return hasCode(error, 'attachments/storage-refused') && passingStatuses.includes(error.details?.status)
}

/** The refusal of an object storage; S3 and its like have a word for each in their XML. */
export function storageRefused(url: URL, status: number, text: string): CausewayError {
  const word = /<Code>([^<]{1,100})<\/Code>/.exec(text)?.[1]
  const error = word === undefined ? undefined : printable(word)
  return new CausewayError(
    'attachments/storage-refused',
    status === 507 || status === 413
      ? `The storage ${url.host} has no space left for this file. Choose a smaller file, or ask the service's administrator for more space.`
      : `The storage ${url.host} rejected the file (status ${status}${error === undefined ? '' : `, ${error}`}). Try again later, or report this to the service's administrator.`,
    { details: { host: url.host, status, ...(error === undefined ? {} : { error }) } },
  )
}
