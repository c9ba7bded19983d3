import type { Instance } from '../instance/instance'

/** The id under which the app is registered at an instance (INTERFACES, "Terminal command"). */
export function clientIdFor(instance: Instance, platform: NodeJS.Platform): string {
  return instance.clientId ?? `org.causeway.app.${platformName(platform)}`
}

/** Other systems are the likest to Linux, and no client is registered for them. */
function platformName(platform: NodeJS.Platform): 'windows' | 'macos' | 'linux' {
  if (platform === 'win32') return 'windows'
  return platform === 'darwin' ? 'macos' : 'linux'
}
