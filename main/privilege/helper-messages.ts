import { CausewayError } from '../errors'
import { printable } from '../../contract/safe-text'

/** A line of the helper's standard error, without its prefix (docs/helper.md, "Protocol"). */
export type HelperMessage =
  | { readonly message: 'started' | 'unknown-command' }
  | { readonly message: 'dns'; readonly outcome: 'applied' | 'cannot' | 'refused' }
  | { readonly message: 'kill-switch'; readonly state: 'on' | 'left' | 'released' | 'none' }
  | { readonly message: 'repaired'; readonly device: string }
  | { readonly message: 'killed'; readonly signal: string }
  | { readonly message: 'refused'; readonly directive: string }
  | { readonly message: 'failed'; readonly reason: string }

/** The messages of a helper that did nothing. */
export type HelperFailure = Extract<HelperMessage, { message: 'refused' | 'failed' }>

/** Parses a line; undefined for the output of system programs, and for messages of another version. */
export function parseHelperMessage(line: string): HelperMessage | undefined {
  const [, message = '', rest = ''] = /^causeway-helper: ([a-z-]+)(?: (.*))?$/.exec(line) ?? []
  switch (message) {
    case 'started':
    case 'unknown-command':
      return { message }
    case 'dns': {
      const outcome = (['applied', 'cannot', 'refused'] as const).find((each) => each === rest.split(' ')[0])
      return outcome === undefined ? undefined : { message, outcome }
    }
    case 'kill-switch': {
      const state = (['on', 'left', 'released', 'none'] as const).find((each) => each === rest)
      return state === undefined ? undefined : { message, state }
    }
    case 'repaired':
      return { message, device: printable(rest, 15) }
    case 'killed':
      return { message, signal: printable(rest, 15) }
    case 'refused':
      return { message, directive: printable(rest, 40) }
    case 'failed':
      return { message, reason: printable(rest, 40) }
    default:
      return undefined
  }
}

/** Returns the error for a helper that refused or failed. Launchers handle the failures of their protocol. */
export function helperError(failure: HelperFailure): CausewayError {
  if (failure.message === 'refused') {
    const { directive } = failure
    return new CausewayError('helper/refused', { details: { directive } })
  }
  const { reason } = failure
  switch (reason) {
    case 'no-pf':
    case 'pf':
    case 'pf-anchor':
      return new CausewayError('helper/kill-switch-failed', { variant: 'pf', details: { reason } })
    case 'not-at-console':
      return new CausewayError('helper/not-authorized', { details: { reason } })
    case 'no-nft':
    case 'kill-switch':
      return new CausewayError('helper/kill-switch-failed', { details: { reason } })
    default:
      return new CausewayError('helper/failed', {
        details: { reason },
      })
  }
}
