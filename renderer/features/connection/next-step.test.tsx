import { screen } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import type { ConnectionState } from '../../../contract/connection'
import { openWindow, signedIn } from '../../fake-bridge.testing'
import { buttons, connected, failed, header, offering, press, region, target } from './stage.testing'

describe('the next step', () => {
  const recent = { shortcuts: { recent: [target], starred: [] } }

  it.each<[ConnectionState, string[]]>([
    [{ state: 'idle' }, ['Connect']],
    [{ state: 'discovering', target }, ['Cancel']],
    [{ state: 'authorizing', target }, ['Cancel']],
    [{ state: 'connecting', target, phase: 'tls' }, ['Cancel']],
    [connected, ['Disconnect']],
    [
      { state: 'reconnecting', target, reason: 'other', attempt: 1, routes: 'kept' },
      ['Disconnect', 'Try now'],
    ],
    [{ state: 'disconnecting', target }, ['Disconnect']],
    [{ state: 'disconnecting', target, switching: true }, ['Cancel']],
    [{ state: 'disconnected', target }, ['Connect']],
    [failed('vpn-api/server-error'), ['Try again', 'Copy for help desk']],
  ])('in state %j is %j', async (connection, expected) => {
    await openWindow({ instances: [signedIn], connection, ...recent })
    expect(buttons()).toEqual(expected)
  })

  it('is to renew first beside a connection whose access is about to end, and last without one', async () => {
    const instance = { ...signedIn, ends: { at: Date.now() + 3_600_000, renewableFrom: 0 } }
    const { change } = await openWindow({
      instances: [instance],
      connection: { ...connected, allTraffic: false, routesUnknown: true },
    })
    expect(buttons()).toEqual(['Disconnect', 'Renew', 'More'])
    change({ connection: failed('vpn-api/server-error') })
    expect(buttons()).toEqual(['Try again', 'Copy for help desk', 'More'])
  })

  it('connects with the profile that it names', async () => {
    const { user, ran, change } = await openWindow({ instances: [signedIn], ...recent })
    expect(region().textContent).toContain('Internet access · vpn.example.org')
    await user.click(header().getByRole('button', { name: 'Connect: Internet access' }))
    change({ connection: failed('vpn-api/server-error') })
    await press(user, header().getByRole('button', { name: 'Try again: Internet access' }))
    expect(ran).toEqual([
      { name: 'connect', input: target },
      { name: 'connect', input: target },
    ])
  })

  it('is to reconnect or to allow traffic while the kill switch blocks it', async () => {
    const { user, ran } = await openWindow({
      instances: [signedIn],
      connection: { state: 'disconnected', target },
      killSwitch: { here: 'available', blocks: true },
    })
    expect(buttons()).toEqual(['Reconnect', 'Allow traffic'])
    await user.click(header().getByRole('button', { name: 'Reconnect: Internet access' }))
    expect(ran).toEqual([{ name: 'connect', input: target }])
  })

  it('is to allow traffic, where there is no profile to reconnect to', async () => {
    const { user, ran } = await openWindow({
      instances: [{ ...offering(), login: 'signed-out' }],
      killSwitch: { here: 'available', blocks: true },
    })
    expect(buttons()).toEqual(['Allow traffic'])
    await user.click(header().getByRole('button', { name: 'Allow traffic' }))
    expect(ran).toEqual([{ name: 'releaseTraffic', input: undefined }])
  })

  it('is the one filled button, with the first profile, after the first sign-in', async () => {
    const { user, ran } = await openWindow({ instances: [signedIn] })
    const filled = [...document.querySelectorAll('main [data-variant=filled]')]
    expect(filled.map((each) => each.getAttribute('aria-label'))).toEqual(['Connect: Internet access'])
    await user.click(header().getByRole('button', { name: 'Connect: Internet access' }))
    expect(ran).toEqual([{ name: 'connect', input: target }])
  })

  it('is not taken by the second click of a double click, or a click just after it has changed', async () => {
    const { user, ran, change } = await openWindow({ instances: [signedIn], ...recent })
    // Nothing takes any time: a slow computer must not make a quick click a slow one.
    vi.spyOn(performance, 'now').mockReturnValue(0)
    const button = header().getByRole('button', { name: 'Connect: Internet access' })
    await user.dblClick(button)
    expect(ran).toEqual([{ name: 'connect', input: target }])
    change({ connection: { state: 'preparing', target } })
    await user.click(header().getByRole('button', { name: 'Cancel' }))
    expect(ran).toHaveLength(1)
    await press(user, header().getByRole('button', { name: 'Cancel' }))
    expect(ran).toHaveLength(2)
  })

  it('may be taken by a click that was meant for a step that does the same', async () => {
    const { user, ran, change } = await openWindow({ instances: [signedIn], ...recent })
    vi.spyOn(performance, 'now').mockReturnValue(0)
    change({ connection: failed('vpn-api/server-error') })
    await user.click(header().getByRole('button', { name: 'Try again: Internet access' }))
    change({ connection: { state: 'preparing', target } })
    await user.click(header().getByRole('button', { name: 'Cancel' }))
    expect(
      ran.map(({ name }) => name),
      'which ends instead',
    ).toEqual(['connect'])
    vi.spyOn(performance, 'now').mockReturnValue(1000)
    change({ connection: connected })
    await user.click(header().getByRole('button', { name: 'Disconnect' }))
    expect(ran.at(-1)?.name).toBe('disconnect')
    vi.spyOn(performance, 'now').mockReturnValue(2000)
    change({ connection: failed('openvpn/not-found') })
    vi.spyOn(performance, 'now').mockReturnValue(3000)
    change({ connection: failed('helper/not-installed'), helper: 'installable' })
    await user.click(header().getByRole('button', { name: 'Install helper…' }))
    expect(
      ran.map(({ name }) => name),
      'which does something else',
    ).not.toContain('installHelper')
  })

  it('is with the profile that is picked instead', async () => {
    const { user, ran } = await openWindow({ instances: [signedIn], ...recent })
    await user.click(header().getByRole('button', { name: /Choose another profile/ }))
    await user.click(
      await screen.findByRole('menuitemradio', { name: "Office organization's networks only" }),
    )
    await press(user, header().getByRole('button', { name: 'Connect: Office' }))
    expect(ran).toEqual([{ name: 'connect', input: { ...target, profileId: 'office' } }])
  })

  it('is no profile that Causeway does not support', async () => {
    const { change } = await openWindow({
      instances: [offering({ profileId: 'internet', displayName: 'WireGuard', notSupported: true })],
      ...recent,
    })
    expect(header().queryAllByRole('button')).toEqual([])
    expect(screen.getByRole('button', { name: 'Connect: WireGuard' })).toHaveProperty('disabled', true)
    change({ connection: failed('vpn-api/server-error') })
    expect(buttons(), 'nor to try it again').toEqual(['Copy for help desk'])
    const office = { profileId: 'office', displayName: 'Office' }
    change({
      connection: failed('vpn-api/server-error'),
      instances: [offering({ profileId: 'internet', displayName: 'WireGuard', notSupported: true }, office)],
    })
    expect(header().getByRole('button', { name: 'Connect: Office' })).toBeTruthy()
    expect(header().queryByRole('button', { name: /^Try again/ })).toBeNull()
  })
})
