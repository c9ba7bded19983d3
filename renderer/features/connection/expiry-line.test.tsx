import { act, screen } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { openWindow, signedIn } from '../../fake-bridge.testing'
import type { InstanceSlice } from '../../../preload/contract'
import { expiryShown } from './expiry-shown'

const minute = 60_000
const hour = 60 * minute
const now = Date.parse('2026-11-20T12:00:00Z')

afterEach(() => {
  vi.useRealTimers()
})

function pass(milliseconds: number): void {
  act(() => {
    vi.advanceTimersByTime(milliseconds)
  })
}

function ending(inMs: number, renewableInMs: number): InstanceSlice {
  return { ...signedIn, ends: { at: Date.now() + inMs, renewableFrom: Date.now() + renewableInMs } }
}

describe('the end of a login', () => {
  it('is told as a date while it is far, and nothing is offered', async () => {
    await openWindow({ instances: [ending(60 * 24 * hour, 59 * 24 * hour)] })
    expect(screen.getByText(/^Your login at vpn\.example\.org ends on .+ \d{4}\.$/)).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Renew' })).toBeNull()
  })

  it('is counted down in the last day, and renewed by one click', async () => {
    const { user, ran } = await openWindow({ instances: [ending(3 * hour + 20 * minute, -1)] })
    expect(screen.getByText('Your login at vpn.example.org ends in 3 h 20 min.')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Renew' }))
    expect(ran).toEqual([{ name: 'renewSession', input: { instanceId: signedIn.id } }])
  })

  it('goes on with the time, down to its end', async () => {
    vi.useFakeTimers({ now, toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    await openWindow({ instances: [ending(2 * minute, 90_000)] })
    expect(screen.getByText(/ends in 2 min\.$/)).toBeTruthy()
    pass(minute)
    expect(screen.getByText(/ends in 1 min\.$/)).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Renew' })).toBeNull()
    pass(minute / 2)
    expect(screen.getByRole('button', { name: 'Renew' })).toBeTruthy()
    pass(minute / 2)
    expect(screen.getByText('Your login at vpn.example.org has ended.')).toBeTruthy()
  })

  it('is not spoken of where nobody is logged in', async () => {
    await openWindow({ instances: [{ ...ending(hour, -1), login: 'signed-out' }] })
    expect(screen.queryByText(/Your login at/)).toBeNull()
    expect(screen.queryByRole('button', { name: 'Renew' })).toBeNull()
  })

  it('says why it could not be renewed', async () => {
    const error = { code: 'oauth/access-denied', message: '' } as const
    const { user } = await openWindow({ instances: [ending(hour, -1)] }, () => ({ ok: false, error }))
    await user.click(screen.getByRole('button', { name: 'Renew' }))
    expect(screen.getByRole('alert').textContent).toContain('oauth/access-denied')
  })

  it('is looked at again exactly when what is shown changes', () => {
    const ends = { at: now, renewableFrom: now - 24 * hour }
    let [time, looks] = [now - 90 * 24 * hour, 0]
    for (;;) {
      const shown = expiryShown(ends, time)
      if (shown.changesAt === undefined) break
      expect(shown.changesAt).toBeGreaterThan(time)
      const { changesAt: _before, ...text } = expiryShown(ends, shown.changesAt - 1)
      const { changesAt: _now, ...first } = shown
      expect({ ...text, stage: text.stage, hours: 0, minutes: 0 }).toEqual({ ...first, hours: 0, minutes: 0 })
      time = shown.changesAt
      looks += 1
    }
    expect(expiryShown(ends, time).stage).toBe('over')
    expect(looks).toBe(1 + 24 * 60)
  })
})
