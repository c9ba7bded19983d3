import { expect } from '@playwright/test'
import type { CausewayWindow } from './causeway-window'
import type { MockServer } from './mock-server'

/**
 * Expects a tunnel if this machine allows one, and otherwise the explanation. Resolves with true for a tunnel to a network
 * behind the mock. On Windows, OpenVPN's service connects, but nothing is behind the mock: the connection is ended again.
 */
export async function expectTunnel(window: CausewayWindow, mock: MockServer): Promise<boolean> {
  if (mock.tunnel.mode !== 'full' && process.platform !== 'win32') {
    await window.expectError('helper/not-installed', 'Causeway needs its helper to set up a connection')
    await window.expectWord('Disconnected')
    return false
  }
  await window.expectWord('Connected')
  await expect(window.disconnectButton).toBeEnabled()
  if (mock.tunnel.mode === 'full') return true
  await window.disconnect()
  return false
}
