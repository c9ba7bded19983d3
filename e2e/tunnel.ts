import { expect } from '@playwright/test'
import type { CausewayWindow } from './causeway-window'
import type { MockServer } from './mock-server'

/** Expects a tunnel if this machine allows one, and otherwise the explanation. Resolves with true for a tunnel. */
export async function expectTunnel(window: CausewayWindow, mock: MockServer): Promise<boolean> {
  if (mock.tunnel.mode !== 'full') {
    await window.expectError('openvpn/not-permitted', "doesn't have permission to set up a VPN connection")
    await window.expectWord('Disconnected')
    return false
  }
  await window.expectWord('Connected')
  await expect(window.disconnectButton).toBeEnabled()
  return true
}
