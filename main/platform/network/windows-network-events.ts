import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { createNetworkEvents, type NetworkEvent, type NetworkEvents } from './network-events'
import { trackDefaultRoutes } from './default-routes'
import { type WindowsHelper, windowsHelper } from '../child-process/windows-helper'
import { readWindowsNetwork } from './windows-default-routes'

/**
 * Reports network events and wake-ups on Windows: Causeway's helper waits for them while there is a listener. Without it
 * there are no events.
 */
export function windowsNetworkEvents(helper = windowsHelper): NetworkEvents {
  return createNetworkEvents((listener, signal) => follow(helper('network'), listener, signal))
}

async function follow(
  [program, ...words]: ReturnType<WindowsHelper>,
  listener: (event: NetworkEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  const { execa } = await import('execa')
  if (signal.aborted) return
  const watcher = execa(program, words, {
    // Its end, which comes however Causeway ends, ends the helper.
    stdin: 'pipe',
    stderr: 'ignore',
    buffer: false,
    reject: false,
    windowsHide: true,
    cancelSignal: signal,
  })
  const track = trackDefaultRoutes(listener, signal)
  const lines = createInterface({ input: watcher.stdout })
  // Its end may never come: another process can have the helper's output too, such as the console of a helper that was
  // ended while it started (Wine).
  signal.addEventListener('abort', () => {
    lines.close()
    watcher.stdout.destroy()
  })
  lines.on('line', (line) => {
    const change = readWindowsNetwork(line)
    if (change === 'resumed') {
      if (!signal.aborted) listener(change)
    } else {
      if (!signal.aborted) listener('routes')
      track(change)
    }
  })
  await once(lines, 'close')
  await watcher
}
