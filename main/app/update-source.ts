import type { Policy } from '../../contract/policy'
import { brand } from '../brand'
import type { ConfiguredSource } from '../platform/signed-list/source'

/**
 * Returns where to look for new versions: as the policy says, else as the build says. Users can't change it, because whoever
 * signs the feed decides what is installed. Only a program that runs from its sources takes it from the environment, for tests.
 */
export function updateSource(
  { updates }: Policy,
  env: Readonly<Record<string, string | undefined>> = process.env,
  isPackaged = /[\\/]app\.asar[\\/]/.test(import.meta.dirname),
): ConfiguredSource | undefined {
  const { CAUSEWAY_UPDATES: url = '', CAUSEWAY_UPDATES_KEY: key = '' } = isPackaged ? {} : env
  const configured = updates ?? (url === '' ? brand.updates : { url, keys: [key] })
  return configured && { url: configured.url, keys: configured.keys.join(' '), legacy: 'refuse' }
}
