import type { Transitions } from '../transitions'
import { beforeTunnel, login, prepare } from './shared'

/** The instance's endpoints are being found. */
export const discovering: Transitions<'discovering'> = {
  ...beforeTunnel,
  login,
  prepare,
}
