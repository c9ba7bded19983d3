import type { ConnectionState } from '../../contract/connection'
import { networksOutside } from '../../contract/connection-summary'
import { isoTimes } from '../connection/iso-times'
import { reportJson } from './terminal'

/** Returns a state for `connect --json` and `status --json` (docs/terminal.md). */
export function connectionJson(state: ConnectionState): object {
  if (!('target' in state)) return state
  const { target, ...rest } = state
  return {
    ...rest,
    ...isoTimes(state),
    ...(state.state === 'connected' && networksOutside(state)),
    ...(state.state === 'failed' && { error: reportJson(state.error) }),
    instance: target.instanceId,
    profileId: target.profileId,
  }
}
