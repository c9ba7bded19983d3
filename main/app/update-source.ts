import type { Policy } from '../../contract/policy'
import { brand } from '../brand'
import type { ConfiguredSource } from '../platform/signed-list/source'

/**
 * Returns the address and keys of the update feed: those of the policy, else those of the build. Users can't change
 * them, because whoever signs the feed decides what is installed. Only a program that runs from its sources takes them
 * from the environment, for tests.
 */
export function updateSource(
  { updates }: Policy,
  env: Readonly<Record<string, string | undefined>> = process.env,
  isPackaged = isInPackage(import.meta.dirname),
): ConfiguredSource | undefined {
  const { CAUSEWAY_UPDATES: url = '', CAUSEWAY_UPDATES_KEY: key = '' } = isPackaged ? {} : env
  const configured = updates ?? (url === '' ? brand.updates : { url, keys: [key] })
  return configured && { url: configured.url, keys: configured.keys.join(' '), legacy: 'refuse' }
}

/** Returns whether a folder is in a package: of the app, or of the terminal command alone (scripts/linux-packages.ts). */
export function isInPackage(folder: string): boolean {
  return /[\\/]app\.asar[\\/]|^\/usr\/lib\/causeway\//.test(folder)
}
