import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { UpdateSlice } from '../../../contract/updates'
import { openWindow, signedIn, visit } from '../../fake-bridge.testing'

const available = { version: '1.3.0', hasNotes: true, required: false, means: 'self' } as const
const update: UpdateSlice = { configured: true, available, progress: { stage: 'none' } }
const connected = {
  state: 'connected',
  target: { instanceId: signedIn.id, profileId: 'office' },
  addresses: {},
  remote: { address: '192.0.2.1', port: 1194, protocol: 'udp' },
  since: 0,
} as const

describe('a new version', () => {
  it('shows nothing without a new version', async () => {
    await openWindow()
    expect(screen.queryByRole('region', { name: 'New version' })).toBeNull()
  })

  it('can be installed, read about and dismissed', async () => {
    const { user, ran } = await openWindow({ update })
    expect(screen.getByText('Version 1.3.0 is available.')).toBeTruthy()
    // It isn't an alert, which would interrupt.
    expect(screen.queryByRole('alert')).toBeNull()
    await user.click(screen.getByRole('button', { name: "What's new" }))
    await user.click(screen.getByRole('button', { name: 'Install and restart' }))
    await user.click(screen.getByRole('button', { name: 'Dismiss' }))
    expect(ran).toEqual([
      { name: 'openReleaseNotes', input: undefined },
      { name: 'installUpdate', input: { endsConnection: false } },
      { name: 'dismissUpdate', input: undefined },
    ])
  })

  it.each([
    ['packages', "Install it with your system's package manager."],
    ['manual', 'Download it from your provider, or ask your administrator.'],
  ] as const)('tells how to get it where Causeway must not install it: %s', async (means, text) => {
    await openWindow({ update: { ...update, available: { ...available, means, hasNotes: false } } })
    expect(screen.getByText(text)).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Install and restart' })).toBeNull()
    expect(screen.queryByRole('button', { name: "What's new" })).toBeNull()
  })

  it('asks before it ends a connection', async () => {
    const { user, ran } = await openWindow({ update, instances: [signedIn], connection: connected })
    await user.click(screen.getByRole('button', { name: 'Install and restart' }))
    expect(screen.getByText('Causeway is connected. Installing ends the connection.')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Not now' }))
    const installed = () => ran.filter(({ name }) => name === 'installUpdate')
    expect(installed()).toEqual([])
    await user.click(screen.getByRole('button', { name: 'Install and restart' }))
    await user.click(screen.getByRole('button', { name: 'Disconnect and install' }))
    expect(installed()).toEqual([{ name: 'installUpdate', input: { endsConnection: true } }])
  })

  it('asks too if main says that another process is connected', async () => {
    const { user } = await openWindow({ update }, () => ({ ok: true, value: 'connected' }))
    await user.click(screen.getByRole('button', { name: 'Install and restart' }))
    expect(await screen.findByText('Causeway is connected. Installing ends the connection.')).toBeTruthy()
  })

  it('shows the progress of the download, which can be cancelled', async () => {
    const { user, ran, change } = await openWindow({ update })
    change({ update: { ...update, progress: { stage: 'downloading', received: 50, total: 200 } } })
    expect(screen.getByText('Downloading version 1.3.0: 25%')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(ran).toEqual([{ name: 'cancelUpdate', input: undefined }])
  })

  it('says that the running version is no longer supported, and why the installation failed', async () => {
    await openWindow({
      update: {
        ...update,
        available: { ...available, required: true },
        progress: { stage: 'failed', error: { code: 'updates/not-verified', message: '' } },
      },
    })
    expect(screen.getByText("The version that you're using is no longer supported.")).toBeTruthy()
    expect(screen.getByText(/^The downloaded file isn't the one/)).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Install and restart' })).toBeTruthy()
  })
})

describe('the setting', () => {
  it('says so where nobody has said where to look', async () => {
    const { user, change } = await openWindow()
    await visit(user, 'Settings')
    await screen.findByRole('switch', { name: 'Look for updates' })
    const text = 'This copy of Causeway has no address to check for updates.'
    expect(screen.getByText(text)).toBeTruthy()
    change({ update })
    expect(screen.queryByText(text)).toBeNull()
  })

  it('is locked where the administrator has set it', async () => {
    const { user } = await openWindow({ update, managedSettings: ['updates'] })
    await visit(user, 'Settings')
    const control = await screen.findByRole<HTMLInputElement>('switch', { name: 'Look for updates' })
    expect(control.disabled).toBe(true)
  })
})
