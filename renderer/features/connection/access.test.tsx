import { act, screen, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { openWindow, signedIn } from '../../fake-bridge.testing'
import { englishTexts, loadTexts } from '../../../contract/locales/texts'
import { emptyState } from '../../empty-state.testing'
import type { InstanceSlice } from '../../../contract/state'
import { describeExpiry } from './describe-expiry'

const stage = (): HTMLElement => screen.getByRole('region', { name: 'Connection' })
const opened = { settings: { ...emptyState.settings, connectionDetails: true } }
const folds = [signedIn.id, 'vpn.example.com'].map((instanceId) => ({ instanceId, folded: false }))
const open = { shortcuts: { recent: [], starred: [], folds } }
const minute = 60_000
const hour = 60 * minute
const now = Date.parse('2026-11-20T12:00:00Z')

function pass(milliseconds: number): void {
  act(() => {
    vi.advanceTimersByTime(milliseconds)
  })
}

function ending(inMs: number, renewableInMs: number): InstanceSlice {
  return { ...signedIn, ends: { at: Date.now() + inMs, renewableFrom: Date.now() + renewableInMs } }
}

describe('the expiry of a login', () => {
  it('is shown as a date without a Renew button while it is far away', async () => {
    const { change } = await openWindow({ instances: [ending(60 * 24 * hour, 59 * 24 * hour)] })
    expect(screen.getByText(/Access until .+ \d{4}$/)).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Renew' })).toBeNull()
    change({
      connection: {
        state: 'connected',
        target: { instanceId: signedIn.id, profileId: 'internet' },
        addresses: {},
        remote: { address: '192.0.2.7', port: 1194, protocol: 'udp' },
        dns: { servers: ['10.0.0.53'], domains: [], applied: true },
        allTraffic: true,
        since: Date.now(),
      },
    })
    expect(within(stage()).getByRole('timer')).toBeTruthy()
    expect(within(stage()).getByText(/Access until .+ \d{4}$/)).toBeTruthy()
    const target = { instanceId: signedIn.id, profileId: 'internet' }
    const remote = { address: '192.0.2.7', port: 1194, protocol: 'udp' } as const
    const leaking = {
      state: 'connected',
      target,
      addresses: {},
      remote,
      allTraffic: false,
      since: 0,
    } as const
    change({ connection: leaking })
    expect(within(stage()).queryByRole('timer')).toBeNull()
    expect(within(stage()).getByText(/Access until .+ \d{4}$/)).toBeTruthy()
    change({ connection: { state: 'preparing', target } })
    expect(within(stage()).queryByText(/Access until/)).toBeNull()
  })

  it('is counted down on the last day, with a Renew button', async () => {
    const { user, ran } = await openWindow({ instances: [ending(3 * hour + 20 * minute, -1)] })
    expect(screen.getByText(/Access ends in 3 h 20 min$/)).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Renew' }))
    expect(ran).toEqual([{ name: 'renewSession', input: { instanceId: signedIn.id } }])
  })

  it('is that of the only service where no profile is known, and of none of several', async () => {
    const instance: InstanceSlice = { ...ending(hour, -1), profiles: { status: 'unknown', items: [] } }
    const { change } = await openWindow({ instances: [instance] })
    expect(within(stage()).getByRole('button', { name: 'Renew' })).toBeTruthy()
    change({ instances: [instance, { ...instance, id: 'vpn.example.com' }] })
    expect(within(stage()).queryByRole('button', { name: 'Renew' })).toBeNull()
  })

  it('ends with one full stop in German, where the minutes have one', async () => {
    const wording = {
      language: 'de',
      locale: 'de',
      direction: 'ltr' as const,
      texts: JSON.stringify(await loadTexts('de')),
    }
    await openWindow({ wording, instances: [ending(4 * minute, -1)] })
    expect(screen.getByText(/Zugang endet/).textContent).toBe('Zugang endet in 4 Min.')
  })

  it('counts down until the end', async () => {
    vi.useFakeTimers({ now, toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    await openWindow({ instances: [ending(2 * minute, 90_000)] })
    expect(screen.getByText(/Access ends in 2 min$/)).toBeTruthy()
    pass(minute)
    expect(screen.getByText(/Access ends in 1 min$/)).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Renew' })).toBeNull()
    pass(minute / 2)
    expect(screen.getByRole('button', { name: 'Renew' })).toBeTruthy()
    pass(minute / 2)
    expect(screen.getByText(/Access has ended$/)).toBeTruthy()
  })

  it('is hidden when nobody is logged in', async () => {
    const { change } = await openWindow({ instances: [{ ...ending(hour, -1), login: 'signed-out' }] })
    const isHidden = (): void => {
      expect(stage().textContent).not.toContain('Access ends')
      expect(screen.queryByRole('button', { name: 'Renew' })).toBeNull()
    }
    isHidden()
    const target = { instanceId: signedIn.id, profileId: 'office' }
    change({
      connection: { state: 'failed', target, error: { code: 'network/captive-portal', message: '' } },
    })
    isHidden()
  })

  it('shows why a renewal failed', async () => {
    const error = { code: 'oauth/access-denied', message: '' } as const
    const { user } = await openWindow({ instances: [ending(hour, -1)] }, () => ({ ok: false, error }))
    await user.click(screen.getByRole('button', { name: 'Renew' }))
    expect(stage().textContent).toContain(englishTexts.errors['oauth/access-denied'].what)
  })

  it.each([
    ['on the stage', 'Renew', ending(hour, -1)],
    ['in a row', 'Renew: Office', ending(-1, -hour)],
    ['beside the name of its service', 'Renew', { ...ending(-1, -hour), login: 'signed-out' } as const],
  ])(
    'shows why a renewal %s failed, also if the sign-in to another service has too',
    async (_, name, ends) => {
      const error = { code: 'oauth/timed-out', message: '' } as const
      const other = { ...signedIn, id: 'vpn.example.com', loginError: error }
      const current = { instanceId: ends.login === 'signed-out' ? other.id : ends.id, profileId: 'internet' }
      const { user } = await openWindow(
        { ...open, instances: [other, ends], connection: { state: 'disconnected', target: current } },
        () => ({ ok: false, error }),
      )
      const { what } = englishTexts.errors['oauth/timed-out']
      const times = () => document.querySelector('main')?.textContent.split(what).length
      const before = times() ?? 0
      await user.click(screen.getByRole('button', { name }))
      expect(times()).toBeGreaterThan(before)
    },
  )

  it('shows why a renewal beside the name of a service failed once, where its sign-in says the same', async () => {
    const error = { code: 'oauth/timed-out', message: '' } as const
    const ends = { ...ending(-1, -hour), login: 'signed-out', loginError: error } as const
    const current = { ...signedIn, id: 'vpn.example.com' }
    const target = { instanceId: current.id, profileId: 'internet' }
    const { user } = await openWindow(
      { ...open, instances: [current, ends], connection: { state: 'disconnected', target } },
      () => ({ ok: false, error }),
    )
    await user.click(screen.getByRole('button', { name: 'Renew' }))
    expect(screen.getAllByText(englishTexts.errors['oauth/timed-out'].what, { exact: false })).toHaveLength(1)
  })

  it('shows nothing after a cancelled renewal', async () => {
    const error = { code: 'oauth/cancelled', message: '' } as const
    const { user } = await openWindow({ instances: [ending(hour, -1)] }, () => ({ ok: false, error }))
    await user.click(screen.getByRole('button', { name: 'Renew' }))
    expect(stage().textContent).not.toContain(englishTexts.errors['oauth/cancelled'].what)
  })

  it('shows a renewal in progress, also one that another window started', async () => {
    const { change } = await openWindow({ instances: [{ ...ending(hour, -1), renewing: true }] })
    expect(screen.getByText(/Renewing your access…/)).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Renew' })).toHaveProperty('disabled', true)
    change({ instances: [{ ...ending(hour, -1), login: 'waiting-for-browser', renewing: true }] })
    expect(screen.getByRole('status').textContent).toContain('Continue in your browser')
    expect(screen.queryByRole('button', { name: 'Renew' })).toBeNull()
    expect(screen.getByRole('button', { name: 'Cancel' })).toBeTruthy()
  })

  it('offers one-click renewal when the tunnel ended with the login, even without tokens', async () => {
    const error = { code: 'session/over', message: '' } as const
    const target = { instanceId: signedIn.id, profileId: 'office' }
    const { user, ran } = await openWindow({
      instances: [{ ...ending(-hour, -2 * hour), login: 'signed-out' }],
      connection: { state: 'failed', target, error },
      notices: [error],
    })
    expect(screen.getByRole('status').textContent).toContain('Your access has ended.')
    expect(screen.getAllByRole('button', { name: /^(Renew$|Sign in)/ })).toHaveLength(1)
    await user.click(screen.getByRole('button', { name: 'Renew' }))
    expect(ran).toEqual([{ name: 'renewSession', input: target }])
  })

  it("of another process's tunnel can be renewed here, and says so", async () => {
    const { user, ran } = await openWindow({
      instances: [ending(hour, -1)],
      heldBy: { kind: 'terminal', pid: 4711 },
      connection: { state: 'preparing', target: { instanceId: signedIn.id, profileId: 'office' } },
    })
    await user.click(screen.getByRole('button', { name: 'Renew and connect here' }))
    expect(ran).toEqual([{ name: 'renewSession', input: { instanceId: signedIn.id, takeOver: true } }])
  })

  it('has ended: Renew is the one verb, in the stage and in every row, and goes on to the profile', async () => {
    const { user, ran } = await openWindow({ instances: [ending(-1, -hour)] })
    expect(screen.queryAllByRole('button', { name: /^(Connect|Sign in)/ })).toEqual([])
    const filled = [...document.querySelectorAll('main [data-variant=filled]')]
    expect(filled.map(({ textContent }) => textContent)).toEqual(['Renew'])
    await user.click(within(stage()).getByRole('button', { name: 'Renew' }))
    await user.click(screen.getByRole('button', { name: 'Renew: Office' }))
    await user.type(screen.getByRole('searchbox'), 'office{Enter}')
    await user.keyboard('{Control>}{Enter}{/Control}')
    const first = { instanceId: signedIn.id, profileId: 'internet' }
    const office = { instanceId: signedIn.id, profileId: 'office' }
    expect(ran.map(({ name }) => name)).toEqual(Array(4).fill('renewSession'))
    expect(ran.map(({ input }) => input)).toEqual([first, office, office, first])
  })

  it('ends while the list is shown', async () => {
    vi.useFakeTimers({ now, toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    await openWindow({ instances: [ending(minute, -hour), { ...signedIn, id: 'vpn.example.com' }], ...open })
    expect(screen.queryAllByRole('button', { name: 'Renew: Office' })).toEqual([])
    pass(minute)
    expect(screen.getAllByRole('button', { name: 'Renew: Office' })).toHaveLength(1)
    expect(screen.getAllByRole('button', { name: 'Connect: Office' })).toHaveLength(1)
  })

  it('has ended at a service without a login: its heading says Renew too', async () => {
    const { user, ran } = await openWindow({
      instances: [signedIn, { ...ending(-1, -hour), id: 'vpn.example.com', login: 'signed-out' }],
    })
    expect(screen.queryByRole('button', { name: 'Sign in' })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Renew' }))
    expect(ran).toEqual([{ name: 'renewSession', input: { instanceId: 'vpn.example.com' } }])
  })

  it('asks first where renewing ends the connection', async () => {
    const instance = ending(hour, -1)
    const { user, ran, change } = await openWindow({
      instances: [{ ...instance, ends: { at: Date.now() + hour, renewableFrom: 0, endsTunnel: true } }],
      connection: {
        state: 'connected',
        target: { instanceId: signedIn.id, profileId: 'office' },
        addresses: {},
        remote: { address: '192.0.2.7', port: 1194, protocol: 'udp' },
        since: 0,
      },
    })
    await user.click(screen.getByRole('button', { name: 'Renew' }))
    expect(screen.getByRole('dialog').textContent).toContain("disconnects you until you've signed in again")
    await user.click(screen.getByRole('button', { name: 'Not now' }))
    expect(screen.queryByRole('dialog', { hidden: true })).toBeNull()
    expect(ran.map(({ name }) => name)).not.toContain('renewSession')
    await user.click(screen.getByRole('button', { name: 'Renew' }))
    await user.click(screen.getByRole('button', { name: 'Disconnect and renew' }))
    expect(ran.at(-1)).toEqual({ name: 'renewSession', input: { instanceId: signedIn.id } })
    await user.click(screen.getByRole('button', { name: 'Disconnect' }))
    expect(ran.at(-1)?.name, 'nothing else asks').toBe('disconnect')
    change({ instances: [instance] })
    await user.click(screen.getByRole('button', { name: 'Renew' }))
    expect(ran.at(-1)?.name, 'where the connection stays').toBe('renewSession')
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('updates exactly when the text changes', () => {
    const ends = { at: now, renewableFrom: now - 24 * hour }
    let [time, looks] = [now - 90 * 24 * hour, 0]
    for (;;) {
      const shown = describeExpiry(ends, time)
      if (shown.changesAt === undefined) break
      expect(shown.changesAt).toBeGreaterThan(time)
      const { changesAt: _before, ...text } = describeExpiry(ends, shown.changesAt - 1)
      const { changesAt: _now, ...first } = shown
      expect({ ...text, stage: text.stage, hours: 0, minutes: 0 }).toEqual({ ...first, hours: 0, minutes: 0 })
      time = shown.changesAt
      looks += 1
    }
    expect(describeExpiry(ends, time).stage).toBe('over')
    expect(looks).toBe(1 + 24 * 60)
  })
})

describe('expiry and clock errors', () => {
  const details = { instance: 'vpn.example.org' }

  it.each([
    ['vpn\\.example\\.org', {}],
    ['My university', { instances: [{ ...signedIn, name: 'My university' }] }],
  ])('show the time of the expiry at %s', async (service, state) => {
    const endsAt = new Date(2026, 10, 20, 16, 5).toISOString()
    await openWindow({
      ...state,
      notices: [{ code: 'session/ends-soon', message: '', details: { ...details, endsAt } }],
    })
    const sentence = `^Your access to ${service} ends on November 20, 2026 at 4:05.PM\\.$`
    expect(screen.getByText(new RegExp(sentence))).toBeTruthy()
  })

  it.each([
    [-172_803, "This computer's clock is 2 days behind the clock of vpn.example.org."],
    [5400, "This computer's clock is 90 minutes ahead of the clock of vpn.example.org."],
    [7 * 3600, "This computer's clock is 7 hours ahead of the clock of vpn.example.org."],
  ])('show the clock difference (%d s)', async (aheadSeconds, sentence) => {
    const error = { code: 'clock/wrong', message: '', details: { ...details, aheadSeconds } } as const
    const target = { instanceId: signedIn.id, profileId: 'office' }
    await openWindow({ ...opened, instances: [signedIn], connection: { state: 'failed', target, error } })
    const alert = screen.getByRole('alert').textContent
    expect(alert).toContain("This computer's clock is wrong")
    expect(alert).toContain(sentence)
  })
})
