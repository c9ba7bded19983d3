import { CausewayError } from '../errors'
import { printable } from '../platform/http/printable'

/** A line of the helper's standard error, after its name (docs/helper.md, "Protocol"). */
export type HelperMessage =
  | { readonly message: 'started' | 'unknown-command' }
  | { readonly message: 'dns'; readonly outcome: 'applied' | 'cannot' | 'refused' }
  | { readonly message: 'kill-switch'; readonly state: 'on' | 'left' | 'released' | 'none' }
  | { readonly message: 'repaired'; readonly device: string }
  | { readonly message: 'killed'; readonly signal: string }
  | { readonly message: 'refused'; readonly directive: string }
  | { readonly message: 'failed'; readonly reason: string }

/** The messages that say why the helper did nothing. */
export type HelperFailure = Extract<HelperMessage, { message: 'refused' | 'failed' }>

/** Undefined for what a system program wrote to the same place, and for messages of another version. */
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

/** The error for a helper that refused or failed. What concerns one protocol alone is told by its launcher. */
export function helperError(failure: HelperFailure): CausewayError {
  if (failure.message === 'refused') {
    const { directive } = failure
    return new CausewayError(
      'helper/refused',
      `Causeway's helper rejected "${directive}" in this connection's configuration. Ask the service's administrator to correct the profile, or reinstall the helper that belongs to this version.`,
      { details: { directive } },
    )
  }
  const { reason } = failure
  switch (reason) {
    case 'no-pf':
      return new CausewayError(
        'helper/kill-switch-not-offered',
        "The kill switch isn't supported on this system yet. Turn off the setting killSwitch, then connect again.",
        { details: { reason } },
      )
    case 'no-nft':
    case 'kill-switch':
      return new CausewayError(
        'helper/kill-switch-failed',
        "The kill switch couldn't be turned on, so Causeway didn't connect. Install nftables, or turn off the setting killSwitch.",
        { details: { reason } },
      )
    default:
      return new CausewayError(
        'helper/failed',
        "Causeway's helper ran into a problem. To find the cause, run: causeway doctor",
        {
          details: { reason },
        },
      )
  }
}
