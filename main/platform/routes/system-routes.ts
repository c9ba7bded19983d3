import type { RouteReader } from './route-reader'

/** Returns the reader of this system; undefined on systems that have none. */
export async function systemRoutes(platform: NodeJS.Platform): Promise<RouteReader | undefined> {
  if (platform === 'linux') return (await import('./linux-routes')).linuxRoutes()
  if (platform === 'darwin') return (await import('./macos-routes')).macosRoutes()
  if (platform === 'win32') return (await import('./windows-routes')).windowsRoutes()
  return undefined
}
