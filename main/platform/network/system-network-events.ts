import { type NetworkEvents, createNetworkEvents, joinNetworkEvents } from './network-events'

/** The events of the system, whose source is loaded when it's watched. There are none on other systems than these. */
export function systemNetworkEvents(platform: NodeJS.Platform): NetworkEvents {
  return createNetworkEvents(async (listener, signal) => {
    const source = await load(platform)
    if (signal.aborted) return
    signal.addEventListener('abort', source.watch(listener))
  })
}

async function load(platform: NodeJS.Platform): Promise<NetworkEvents> {
  if (platform === 'linux') return (await import('./linux-network-events')).linuxNetworkEvents()
  if (platform === 'darwin') return (await import('./macos-network-events')).macosNetworkEvents()
  if (platform === 'win32') return (await import('./windows-network-events')).windowsNetworkEvents()
  return joinNetworkEvents([])
}
