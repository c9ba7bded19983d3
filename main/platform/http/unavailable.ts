import { durationText } from '../../duration-text'

/** What a service says by 429 or 5xx: that it cannot do it now. */
export interface Unavailable {
  /** "is busy" or "has an internal problem". */
  readonly what: string
  /** A sentence. */
  readonly todo: string
}

/** Returns undefined for any other status. `retryAfterSeconds` is what the service said, if anything. */
export function unavailable(status: number, retryAfterSeconds: number | undefined): Unavailable | undefined {
  if (status !== 429 && status < 500) return undefined
  const isBusy = status === 429
  return {
    what: isBusy ? 'is busy' : 'has an internal error',
    todo:
      retryAfterSeconds === undefined
        ? `Try again later${isBusy ? '' : ", or report this to the service's administrator"}.`
        : `Try again in ${durationText(retryAfterSeconds)}.`,
  }
}
