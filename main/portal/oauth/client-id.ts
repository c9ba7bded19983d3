import { brand, type Brand } from '../../brand'
import type { Instance } from '../instance/instance'

/**
 * Returns the client id for an instance: the id set for it, or that of the build, or the default
 * (docs/administrators.md).
 */
export function clientIdFor(
  instance: Pick<Instance, 'clientId'>,
  platform: NodeJS.Platform,
  { clientIds }: Pick<Brand, 'clientIds'> = brand,
): string {
  const name = platformName(platform)
  return instance.clientId ?? clientIds?.[name] ?? `org.causeway.app.${name}`
}

/** Other systems use the id of Linux, because no client is registered for them. */
function platformName(platform: NodeJS.Platform): 'windows' | 'macos' | 'linux' {
  if (platform === 'win32') return 'windows'
  return platform === 'darwin' ? 'macos' : 'linux'
}
