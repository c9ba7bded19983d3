import { plausibleRemotes } from '../remotes'
import type { Tunnel } from './tunnel'

/** No OpenVPN: the remotes look real and nothing listens there. */
export const noTunnel: Tunnel = {
  status: { mode: 'none' },
  remotes: () => plausibleRemotes('127.0.0.1'),
  refuse: () => undefined,
  accept: () => undefined,
  refuseAll: () => undefined,
  act: () => Promise.resolve(),
  move: () => Promise.resolve(),
  changeIdentity: () => Promise.resolve(),
  close: () => Promise.resolve(),
}
