import { CausewayError } from '../errors'
import { programNotFound } from '../tunnel/openvpn/find-openvpn'
import { printable, tunnelFailure } from '../tunnel/openvpn/tunnel-failure'

/** What the helper says on standard error, each line after its name (docs/helper.md, "Protocol"). */
export type HelperWord =
  | { readonly word: 'started' | 'unknown-command' }
  | { readonly word: 'dns'; readonly outcome: 'applied' | 'cannot' | 'refused' }
  | { readonly word: 'kill-switch'; readonly state: 'on' | 'left' | 'released' | 'none' }
  | { readonly word: 'repaired'; readonly device: string }
  | { readonly word: 'killed'; readonly signal: string }
  | { readonly word: 'error'; readonly error: CausewayError }

/** Undefined for what a system program wrote to the same place, and for words of another version. */
export function parseHelperWord(line: string): HelperWord | undefined {
  const [, word = '', rest = ''] = /^causeway-helper: ([a-z-]+)(?: (.*))?$/.exec(line) ?? []
  switch (word) {
    case 'started':
    case 'unknown-command':
      return { word }
    case 'dns': {
      const outcome = (['applied', 'cannot', 'refused'] as const).find((each) => each === rest.split(' ')[0])
      return outcome === undefined ? undefined : { word, outcome }
    }
    case 'kill-switch': {
      const state = (['on', 'left', 'released', 'none'] as const).find((each) => each === rest)
      return state === undefined ? undefined : { word, state }
    }
    case 'repaired':
      return { word, device: printable(rest, 15) }
    case 'killed':
      return { word, signal: printable(rest, 15) }
    case 'refused':
      return { word: 'error', error: refused(printable(rest, 40)) }
    case 'failed':
      return { word: 'error', error: failed(printable(rest, 40)) }
    default:
      return undefined
  }
}

function refused(directive: string): CausewayError {
  return new CausewayError(
    'helper/refused',
    `Causeway's helper refused "${directive}" in the configuration of this connection. Ask the administrator of this instance to correct the profile, or install the helper of this version again.`,
    { details: { directive } },
  )
}

function failed(reason: string): CausewayError {
  switch (reason) {
    case 'no-openvpn':
      return programNotFound(undefined)
    case 'openvpn-of-others':
      return new CausewayError(
        'openvpn/not-found',
        'OpenVPN is here, but others than root may change it, so it is not run with the rights of root. Install OpenVPN with MacPorts, then connect again.',
        { details: { reason } },
      )
    case 'unresolved':
      return tunnelFailure('name-not-resolved')
    case 'no-pf':
      return new CausewayError(
        'helper/kill-switch-not-offered',
        'There is no kill switch on this system yet. Turn the setting killSwitch off, then connect again.',
        { details: { reason } },
      )
    case 'no-nft':
    case 'kill-switch':
      return new CausewayError(
        'helper/kill-switch-failed',
        'The kill switch could not be set up, so Causeway did not connect. Install nftables, or turn the setting killSwitch off.',
        { details: { reason } },
      )
    default:
      return new CausewayError(
        'helper/failed',
        "Causeway's helper could not do its work. Run: causeway doctor",
        {
          details: { reason },
        },
      )
  }
}
