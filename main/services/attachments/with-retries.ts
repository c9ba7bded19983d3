import { CausewayError, hasCode } from '../../errors'
import type { StorageAnswer } from '../../platform/http/file-transport'
import { retryAfterMs } from '../../platform/http/retrying-http'
import { printable } from '../../../contract/safe-text'

/** The steps that a transfer reports. */
export interface TransferSteps {
  readonly signal: AbortSignal
  enter(state: 'preparing' | 'transferring'): void
  progressed(bytes: number, totalBytes: number | undefined): void
  /** Waits before the next attempt, unless it is retried at once; at least for what the storage asks. Throws `http/cancelled`. */
  pause(attempt: number, atLeastMs: number): Promise<void>
}

const maxAttempts = 4

/** Progress in bytes that resets the number of attempts; less than a lost connection may hold that nobody has read yet. */
const worthBytes = 256 * 1024

/**
 * Retries after a lost connection or a temporary refusal, with four attempts at most; progress resets their number. `moved`
 * returns the bytes that the last attempt transferred.
 */
export async function withRetries<T>(
  steps: TransferSteps,
  attempt: () => Promise<T>,
  moved: () => number = () => 0,
): Promise<T> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await attempt()
    } catch (error) {
      if (moved() >= worthBytes) attempts = 1
      if (!isPassing(error) || attempts >= maxAttempts) throw error
      await steps.pause(attempts, retryAfterMs(error))
    }
  }
}

const passingStatuses: readonly unknown[] = [408, 429, 500, 502, 503, 504]

function isPassing(error: unknown): boolean {
  if (hasCode(error, 'http/unreachable', 'http/timed-out')) return true
  return hasCode(error, 'attachments/storage-refused') && passingStatuses.includes(error.details?.status)
}

/** Creates the error for a storage's refusal; S3 and similar storages send an error code as XML. */
export function storageRefused(
  url: URL,
  {
    status,
    text = '',
    retryAfterSeconds,
  }: Pick<StorageAnswer, 'status' | 'retryAfterSeconds'> & { readonly text?: string },
): CausewayError {
  const word = /<Code>([^<]{1,100})<\/Code>/.exec(text)?.[1]
  const error = word === undefined ? undefined : printable(word)
  return new CausewayError('attachments/storage-refused', {
    variant: status === 507 || status === 413 ? 'no-space' : undefined,
    details: { host: url.host, status, error, retryAfterSeconds },
  })
}
