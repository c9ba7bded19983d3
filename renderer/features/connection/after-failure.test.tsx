import { act, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { ConnectionState } from '../../../contract/connection'
import type { ErrorCode } from '../../../contract/error-codes'
import { englishTexts } from '../../../contract/locales/texts'
import { emptyState } from '../../empty-state.testing'
import { openWindow, signedIn } from '../../fake-bridge.testing'
import { buttons, connected, failed, header, offering, press, region, target } from './stage.testing'

const many = ['internet', 'office', 'lab', 'library', 'ward'].map((profileId) => ({
  profileId,
  displayName: profileId === 'lab' ? 'Lab' : profileId,
}))

describe('after a failure', () => {
  it.each<[ErrorCode, string[]]>([
    ['openvpn/unreachable', ['Try TCP', 'Try again', 'More']],
    ['openvpn/timed-out', ['Try TCP', 'Try again', 'More']],
    ['openvpn/not-found', ['Choose OpenVPN…', 'Try again', 'More']],
    ['openvpn/too-old', ['Choose OpenVPN…', 'Try again', 'More']],
    ['helper/not-installed', ['Check this computer', 'Try again']],
    // Its sentence needs the room.
    ['clock/wrong', ['Try again', 'More']],
    ['vpn-api/server-error', ['Try again', 'Copy for help desk']],
    ['network/captive-portal', ['Open its page', 'Try again']],
    ['oauth/access-denied', ['Sign in again', 'Copy for help desk']],
  ])('with %s, offers the step that helps, one more, and the rest under More: %j', async (code, expected) => {
    await openWindow({ instances: [signedIn], connection: failed(code) })
    expect(buttons()).toEqual(expected)
  })

  it('fills no button where nothing here helps yet', async () => {
    const { change } = await openWindow({ instances: [signedIn], connection: failed('http/unreachable') })
    const again = () => header().getByRole('button', { name: /^Try again/ })
    expect(again().getAttribute('data-variant')).toBe('default')
    change({ connection: failed('vpn-api/server-error') })
    expect(again().getAttribute('data-variant')).toBe('filled')
  })

  it('opens the page of the network, signs in again, and leads to another profile', async () => {
    const { user, ran, change } = await openWindow({
      instances: [signedIn],
      connection: failed('network/captive-portal'),
    })
    await press(user, header().getByRole('button', { name: 'Open its page' }))
    change({ connection: failed('oauth/access-denied') })
    await press(user, header().getByRole('button', { name: 'Sign in again' }))
    expect(ran).toEqual([
      { name: 'openNetworkPage', input: { instanceId: target.instanceId } },
      { name: 'connect', input: target },
    ])
    change({ connection: failed('vpn-api/profile-unavailable') })
    await press(user, header().getByRole('button', { name: 'Choose another profile' }))
    await expect.poll(() => document.activeElement?.getAttribute('type')).toBe('search')
  })

  it('tries TCP with the same profile, unless TCP is set already', async () => {
    const { user, ran, change } = await openWindow({
      instances: [signedIn],
      connection: failed('openvpn/unreachable'),
    })
    await user.click(screen.getByRole('button', { name: 'Try TCP' }))
    expect(ran).toEqual([{ name: 'connect', input: { ...target, preferTcp: true } }])
    change({ settings: { ...emptyState.settings, preferTcp: true } })
    expect(screen.queryByRole('button', { name: 'Try TCP' })).toBeNull()
  })

  it('shows why TCP could not be tried', async () => {
    const error = { code: 'usage/unknown-instance', message: '' } as const
    const { user } = await openWindow(
      { instances: [signedIn], connection: failed('openvpn/unreachable') },
      () => ({ ok: false, error }),
    )
    await user.click(screen.getByRole('button', { name: 'Try TCP' }))
    expect(region().textContent).toContain('This service is no longer in your list.')
  })

  it('installs the helper where the system can ask for permission, and then tries again', async () => {
    const missing = { instances: [signedIn], connection: failed('helper/not-installed') }
    const { user, ran, change } = await openWindow({ ...missing, helper: 'installable' })
    expect(buttons()).toEqual(['Install helper…', 'Try again', 'More'])
    await user.click(screen.getByRole('button', { name: 'Install helper…' }))
    expect(ran).toEqual([{ name: 'installHelper', input: undefined }])
    change({ helper: 'usable' })
    expect(buttons()).toEqual(['Try again', 'More'])
    change({ helper: 'missing' })
    expect(buttons()).toEqual(['Check this computer', 'Try again'])
    expect(region().textContent).toContain('Run "causeway helper install" in a terminal.')
  })

  it('says why the helper could not be installed, in place of why it could not connect', async () => {
    const error = { code: 'helper/not-installed', message: '', variant: 'not-permitted' } as const
    const { user } = await openWindow(
      { instances: [signedIn], connection: failed('helper/not-installed'), helper: 'installable' },
      () => ({ ok: false, error }),
    )
    await user.click(screen.getByRole('button', { name: 'Install helper…' }))
    expect(region().textContent).toContain('Permission was denied')
    expect(screen.getByRole('button', { name: 'Install helper…' })).toHaveProperty('disabled', false)
  })

  it("chooses OpenVPN's program, and says why it can't be used", async () => {
    const error = { code: 'openvpn/too-old', message: '' } as const
    const { user, ran } = await openWindow(
      { instances: [signedIn], connection: failed('openvpn/not-found') },
      () => ({ ok: false, error }),
    )
    await user.click(screen.getByRole('button', { name: 'Choose OpenVPN…' }))
    expect(ran).toEqual([{ name: 'setOpenVpn', input: { by: 'dialog' } }])
    expect(region().textContent).toContain('The version of OpenVPN on this computer')
  })

  const lost: ConnectionState = {
    state: 'reconnecting',
    target,
    reason: 'ping-restart',
    attempt: 1,
    routes: 'kept',
  }

  it('says that the message was copied, until the connection moves on, and not again', async () => {
    const { user, change } = await openWindow({
      instances: [signedIn],
      connection: failed('vpn-api/server-error'),
    })
    expect(header().getByText('The service has an internal error.')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Copy for help desk' }))
    expect(header().getByText(/^Copied · /)).toBeTruthy()
    expect(region().textContent).toContain('The service has an internal error.')
    change({ connection: { state: 'preparing', target } })
    expect(header().queryByText(/^Copied/)).toBeNull()
    expect(region().textContent).toContain('Getting your configuration')
    change({ connection: failed('vpn-api/server-error') })
    expect(header().queryByText(/^Copied/)).toBeNull()
  })

  it('does not say in a later state what was copied for an earlier one', async () => {
    let copied: (value: unknown) => void = () => undefined
    const { user, change } = await openWindow(
      { instances: [signedIn], connection: failed('vpn-api/server-error') },
      (name) => (name === 'copySupportReport' ? new Promise((resolve) => (copied = resolve)) : { ok: true }),
    )
    await user.click(screen.getByRole('button', { name: 'Copy for help desk' }))
    change({ connection: connected })
    await act(async () => {
      copied({ ok: true })
      await Promise.resolve()
    })
    expect(header().queryByText(/^Copied/)).toBeNull()
  })

  it.each<[ConnectionState, string, ConnectionState]>([
    [connected, 'Disconnect', lost],
    [lost, 'Try now', connected],
    [connected, 'Disconnect', { ...connected, since: Date.now() }],
    [failed('openvpn/not-found'), 'Choose OpenVPN…', { state: 'preparing', target }],
  ])(
    "in state %j, says why %s didn't work, until the connection moves on",
    async (connection, verb, next) => {
      const error = { code: 'helper/not-authorized', message: '' } as const
      const { user, change } = await openWindow({ instances: [signedIn], connection }, (name) =>
        name === 'watchTraffic' ? { ok: true } : { ok: false, error },
      )
      await user.click(header().getByRole('button', { name: verb }))
      const { what } = englishTexts.errors['helper/not-authorized']
      expect(region().textContent).toContain(what)
      change({ connection: next })
      expect(region().textContent).not.toContain(what)
      change({ connection })
      expect(region().textContent).not.toContain(what)
    },
  )

  it('shows what failed last, in the stage or in a row', async () => {
    const codes = ['helper/not-authorized', 'data/unwritable'] as const
    let answers = 0
    const { user } = await openWindow(
      { instances: [offering(...many)], connection: failed('openvpn/not-found') },
      () => ({
        ok: false,
        error: { code: codes[answers++ % 2], message: '' },
      }),
    )
    await user.click(header().getByRole('button', { name: 'Choose OpenVPN…' }))
    expect(region().textContent).toContain(englishTexts.errors['helper/not-authorized'].what)
    await user.click(screen.getByRole('button', { name: 'Star Lab' }))
    expect(region().textContent).toContain(englishTexts.errors['data/unwritable'].what)
    await user.click(header().getByRole('button', { name: 'Choose OpenVPN…' }))
    expect(region().textContent).toContain(englishTexts.errors['helper/not-authorized'].what)
  })

  it('leads to the check of this computer', async () => {
    const { user } = await openWindow({ instances: [signedIn], connection: failed('openvpn/not-found') })
    await user.click(header().getByRole('button', { name: 'More' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Check this computer' }))
    expect(window.location.hash).toBe('#doctor')
  })
})
