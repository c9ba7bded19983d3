import { screen, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import type { ConnectionState } from '../../../contract/connection'
import type { ErrorCode } from '../../../contract/error-codes'
import type { InstanceSlice, ProfileItem } from '../../../contract/state'
import { emptyState } from '../../empty-state.testing'
import { signedIn } from '../../fake-bridge.testing'

/** The stage in tests: states to show on it, and what it shows. */

export const target = { instanceId: signedIn.id, profileId: 'internet' }
export const remote = { address: '192.0.2.7', port: 1194, protocol: 'udp' } as const
export const connected: Extract<ConnectionState, { state: 'connected' }> = {
  state: 'connected',
  target,
  addresses: { ipv4: '10.42.0.2', ipv6: 'fd00::2' },
  remote,
  cipher: 'AES-256-GCM',
  allTraffic: true,
  dns: { servers: ['10.0.0.53'], domains: [], applied: true },
  since: Date.now() - 61_000,
}

export const opened = { settings: { ...emptyState.settings, connectionDetails: true } }

export const header = () => within(screen.getByRole('region', { name: 'Connection' }))
export const region = (): HTMLElement => screen.getByRole('region', { name: 'Connection' })
export const statusText = (): string => screen.getByRole('status').textContent
export const buttons = (): string[] =>
  header()
    .getAllByRole('button')
    .filter((button) => button.getAttribute('aria-label')?.includes('Choose another profile') !== true)
    .map((button) => button.getAttribute('aria-label')?.replace(/:.*/, '') ?? button.textContent)
    .filter((name) => name !== 'Details')
export const tone = (): string | null => region().getAttribute('data-tone')

/** Clicks with a key: clicks of the mouse shortly after a change are ignored. */
export async function press(user: UserEvent, button: HTMLElement): Promise<void> {
  button.focus()
  await user.keyboard('{Enter}')
}

export function failed(code: ErrorCode): ConnectionState {
  return { state: 'failed', target, error: { code, message: '' } }
}

export function offering(...items: ProfileItem[]): InstanceSlice {
  return { ...signedIn, profiles: { status: 'loaded', items } }
}

/** The text of the error, with its code. */
export function errorText(): string {
  return screen.getByRole('alert').parentElement?.textContent ?? ''
}
