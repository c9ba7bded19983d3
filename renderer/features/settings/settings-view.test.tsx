import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { emptyState, openWindow, signedIn } from '../../fake-bridge.testing'

describe('settings', () => {
  it('change language and theme', async () => {
    const { user, ran } = await openWindow()
    await user.click(screen.getByRole('link', { name: 'Settings' }))
    await user.selectOptions(await screen.findByRole('combobox', { name: 'Language' }), 'Nederlands')
    await user.selectOptions(screen.getByRole('combobox', { name: 'Theme' }), 'Dark')
    expect(ran).toEqual([
      { name: 'setSetting', input: { name: 'language', value: 'nl' } },
      { name: 'setSetting', input: { name: 'theme', value: 'dark' } },
    ])
  })

  it('put the window into the chosen language and theme at once', async () => {
    const { change } = await openWindow()
    change({ languages: ['nl', 'en'], settings: { ...emptyState.settings, theme: 'dark' } })
    expect(await screen.findByRole('button', { name: 'Dienst toevoegen' })).toBeTruthy()
    expect(document.documentElement.lang).toBe('nl')
    expect(document.documentElement.dataset.mantineColorScheme).toBe('dark')
  })

  it('remove an instance only after asking', async () => {
    const { user, ran } = await openWindow({ instances: [signedIn] })
    await user.click(screen.getByRole('link', { name: 'Settings' }))
    await user.click(await screen.findByRole('button', { name: 'Remove' }))
    await user.click(screen.getByRole('button', { name: 'Keep' }))
    expect(ran).toEqual([])
    await user.click(screen.getByRole('button', { name: 'Remove' }))
    await user.click(screen.getByRole('button', { name: 'Remove vpn.example.org' }))
    expect(ran).toEqual([{ name: 'removeInstance', input: { instanceId: 'vpn.example.org' } }])
  })

  it('say when they cannot be saved', async () => {
    const error = {
      code: 'data/unwritable',
      message: '',
      details: { path: '/home/ann/settings.json' },
    } as const
    const { user } = await openWindow({}, () => ({ ok: false, error }))
    await user.click(screen.getByRole('link', { name: 'Settings' }))
    await user.selectOptions(await screen.findByRole('combobox', { name: 'Theme' }), 'Light')
    expect(screen.getByRole('alert').textContent).toContain('/home/ann/settings.json')
  })
})
