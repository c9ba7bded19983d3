import type { ConfigurationsOptions } from '../portal/v3/issued-configurations'
import { runnableProtocols } from '../privilege/wireguard-here'

/**
 * Returns what tells the protocols with which a profile is wanted here. On Windows, only WireGuard has the kill switch: a service that
 * may choose would else choose a tunnel that can't start.
 *
 * @param killSwitch returns the setting
 */
export function createRunnableFor(
  killSwitch: () => Promise<boolean>,
  { platform = process.platform, find = () => runnableProtocols() } = {},
): ConfigurationsOptions['runnable'] {
  return async ({ protocols }, { protocol }) => {
    const runnable = await find()
    const mayChoose = protocol === undefined && protocols?.includes('wireguard') === true
    if (platform !== 'win32' || !mayChoose || !runnable.includes('wireguard')) return runnable
    return (await killSwitch()) ? ['wireguard'] : runnable
  }
}
