import { expect, test } from '@playwright/test'
import type { CausewayWindow } from './causeway-window'
import type { MockServer } from './mock-server'

/**
 * Expects a tunnel if this machine allows one, and otherwise the explanation. Resolves with true for a tunnel to a network
 * behind the mock. On Windows, OpenVPN's service connects, but nothing is behind the mock: the connection is ended again.
 */
export async function expectTunnel(window: CausewayWindow, mock: MockServer): Promise<boolean> {
  if (mock.tunnel.mode !== 'full' && process.platform !== 'win32') {
    await window.expectError('helper/not-installed', 'Causeway needs its helper to set up a connection')
    await window.expectWord("Couldn't connect")
    return false
  }
  await window.expectWord('Connected')
  await expect(window.disconnectButton).toBeEnabled()
  if (mock.tunnel.mode === 'full') return true
  await window.disconnect()
  return false
}

/** The reason for which a test, or the rest of it, is left out. */
export const noTunnel = "This machine allows no tunnel to the mock server's network"

/** Does the same, and leaves out the rest of the test where there is no tunnel. */
export async function requireTunnel(window: CausewayWindow, mock: MockServer): Promise<void> {
  test.skip(!(await expectTunnel(window, mock)), noTunnel)
}
