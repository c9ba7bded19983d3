import { CausewayError } from '../../errors'
import { type HelperOptions, runHelper } from '../../privilege/helper-client'
import { helperError, type HelperFailure } from '../../privilege/helper-messages'
import { programNotFound } from './find-openvpn'
import type { Launcher } from './launcher'
import { tunnelFailure } from './tunnel-failure'

/** Runs OpenVPN through the helper, which decides by itself where OpenVPN is. */
export function createHelperLauncher(options: HelperOptions): Launcher {
  return {
    name: 'helper',
    launch: (launched) => Promise.resolve(runHelper(options, launched, openVpnError)),
  }
}

function openVpnError(failure: HelperFailure): CausewayError {
  switch (failure.message === 'failed' ? failure.reason : '') {
    case 'no-openvpn':
      return programNotFound(undefined)
    case 'openvpn-of-others':
      return new CausewayError(
        'openvpn/not-found',
        "Users other than root can change the installed OpenVPN, so Causeway doesn't run it as root. Install OpenVPN with MacPorts, then connect again.",
        { details: { reason: 'openvpn-of-others' } },
      )
    case 'unresolved':
      return tunnelFailure('name-not-resolved')
    default:
      return helperError(failure)
  }
}
