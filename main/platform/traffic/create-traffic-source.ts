import { linuxTraffic } from './linux-traffic'
import { macosTraffic } from './macos-traffic'
import type { TrafficSource } from './traffic-source'
import { windowsTraffic } from './windows-traffic'

/** Creates the source for this system; it needs no rights (docs/platforms.md, "Traffic"). */
export function createTrafficSource(platform: NodeJS.Platform): TrafficSource | undefined {
  if (platform === 'linux') return linuxTraffic()
  if (platform === 'darwin') return macosTraffic()
  if (platform === 'win32') return windowsTraffic()
  return undefined
}
