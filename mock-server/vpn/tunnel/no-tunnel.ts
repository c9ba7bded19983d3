import { plausibleRemotes } from '../remotes'
import type { Tunnel } from './tunnel'

/** A tunnel without OpenVPN: the remotes look real, but nothing listens there. */
export const noTunnel: Tunnel = {
  status: { mode: 'none' },
  remotes: (_defaultGateway, host = '127.0.0.1') => plausibleRemotes(host),
  refuse: () => undefined,
  accept: () => undefined,
  disconnect: () => Promise.resolve(),
  refuseAll: () => undefined,
  act: () => Promise.resolve(),
  move: () => Promise.resolve(),
  changeIdentity: () => Promise.resolve(),
  close: () => Promise.resolve(),
}
