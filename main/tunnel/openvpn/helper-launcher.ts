import { CausewayError } from '../../errors'
import { type HelperOptions, runHelper } from '../../privilege/helper-client'
import { helperError, type HelperFailure } from '../../privilege/helper-messages'
import { programNotFound } from './find-openvpn'
import type { Launcher } from './launcher'
import { tunnelFailure } from './tunnel-failure'

/** Creates a launcher that runs OpenVPN through the helper, which finds OpenVPN itself. */
export function createHelperLauncher(options: HelperOptions): Launcher {
  return {
    name: 'helper',
    launch: (launched) => runHelper(options, launched, openVpnError),
  }
}

function openVpnError(failure: HelperFailure): CausewayError {
  switch (failure.message === 'failed' ? failure.reason : '') {
    case 'no-openvpn':
      return programNotFound(undefined)
    case 'openvpn-of-others':
      return new CausewayError('openvpn/not-found', { details: { reason: 'openvpn-of-others' } })
    case 'no-rights':
      return tunnelFailure('not-permitted', { reason: 'no-rights' }, 'system')
    case 'unresolved':
      return tunnelFailure('name-not-resolved')
    default:
      return helperError(failure)
  }
}
