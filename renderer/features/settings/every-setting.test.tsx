import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { allowedValues, settingName } from '../../../contract/settings'
import { emptyState } from '../../empty-state.testing'
import { openWindow, signedIn, visitSection } from '../../fake-bridge.testing'

const target = { instanceId: signedIn.id, profileId: 'internet' }

it('every setting has a control, and every listed value a choice', async () => {
  const app = { id: 'firefox', name: 'Firefox', listed: false, installed: true }
  const { user, ran } = await openWindow(
    {
      instances: [signedIn],
      connection: { state: 'disconnected', target },
      settings: { ...emptyState.settings, appsMode: 'except' },
    },
    (name) => ({
      ok: true,
      value: name === 'listApps' ? { here: 'available', apps: [app], networkNames: true } : undefined,
    }),
  )
  await user.click(await screen.findByRole('button', { name: 'Details' }))
  for (const section of ['General', 'Connection', 'Apps']) {
    await visitSection(user, section)
    await screen.findAllByRole('combobox')
    for (const control of screen.queryAllByRole('switch')) await user.click(control)
    for (const control of screen.getAllByRole<HTMLSelectElement>('combobox')) {
      for (const { value } of control.options) await user.selectOptions(control, value)
    }
  }
  await user.click(await screen.findByRole('checkbox', { name: 'Firefox' }))
  await visitSection(user, 'Connection')
  await user.click(screen.getByRole('button', { name: 'Choose…' }))
  await visitSection(user, 'List of organizations')
  await user.click(
    within(screen.getByRole('form', { name: 'List of organizations' })).getByRole('button', {
      name: 'Save list',
    }),
  )

  const values = new Map<string, Set<string>>()
  for (const { name, input } of ran) {
    if (name === 'setOpenVpn') values.set('openvpnPath', new Set())
    if (name === 'setApp') values.set('apps', new Set())
    if (name !== 'setSetting') continue
    const set = input as { readonly name: string; readonly value: string }
    values.set(set.name, (values.get(set.name) ?? new Set()).add(set.value))
  }
  expect([...values.keys()].toSorted()).toEqual(settingName.options.toSorted())
  const checked = settingName.options.filter((name) => {
    const listed = allowedValues(name, () => 'others')
    // A switch was clicked once.
    if (listed.includes('others') || typeof emptyState.settings[name] === 'boolean') return false
    expect([...(values.get(name) ?? [])].toSorted(), name).toEqual(listed.toSorted())
    return true
  })
  expect(checked).toContain('theme')
})
