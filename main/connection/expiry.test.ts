import { describe, expect, it } from 'vitest'
import { expiryAt, expiryReport, isShort, renewableFrom } from './expiry'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const start = new Date('2026-11-20T12:00:00Z')
const after = (milliseconds: number) => new Date(start.getTime() + milliseconds)

describe('expiryAt', () => {
  const ninetyDays = { notBefore: start, notAfter: after(90 * day) }

  it.each([
    ['in the first minute', 0, 'far', false],
    ['more than a day before its end', 89 * day - 1, 'far', false],
    ['a day before its end', 89 * day, 'soon', true],
    ['a moment before its end', 90 * day - 1, 'soon', true],
    ['at its end', 90 * day, 'over', true],
    ['long after its end', 100 * day, 'over', true],
  ] as const)('returns stage and time left %s', (_when, at, stage, renewable) => {
    expect(expiryAt(ninetyDays, after(at))).toMatchObject({
      stage,
      renewable,
      timeLeft: Math.max(0, 90 * day - at),
    })
  })

  it('does not offer a renewal in the first 30 minutes of a short login', () => {
    const short = { notBefore: start, notAfter: after(2 * hour) }
    expect(expiryAt(short, after(30 * minute - 1))).toMatchObject({ stage: 'soon', renewable: false })
    expect(expiryAt(short, after(30 * minute))).toMatchObject({ stage: 'soon', renewable: true })
  })

  it('offers it after 30 minutes of a login of one hour', () => {
    expect(renewableFrom({ notBefore: start, notAfter: after(hour) })).toEqual(after(30 * minute))
  })

  it('offers a renewal at once of a login that would end soon after those 30 minutes', () => {
    const shortest = { notBefore: start, notAfter: after(20 * minute) }
    expect(expiryAt(shortest, start)).toMatchObject({ stage: 'soon', renewable: true })
  })

  it.each([90 * day, 2 * hour, 10 * minute])(
    'offers a renewal from the time of renewableFrom (login of %d ms)',
    (life) => {
      const validity = { notBefore: start, notAfter: after(life) }
      const from = renewableFrom(validity)
      expect(expiryAt(validity, from).renewable).toBe(true)
      expect(expiryAt(validity, new Date(from.getTime() - 1)).renewable).toBe(false)
    },
  )
})

it('counts a login as short that lasts for less than a day', () => {
  expect(isShort({ notBefore: start, notAfter: after(day - 1) })).toBe(true)
  expect(isShort({ notBefore: start, notAfter: after(day) })).toBe(false)
})

it('reports the end of a login as over from that moment on', () => {
  const notice = { instanceId: 'vpn.example.org', endsAt: after(hour), hours: 1 } as const
  expect(expiryReport(notice, after(hour - 1))).toMatchObject({
    code: 'session/ends-soon',
    details: { instance: 'vpn.example.org', endsAt: '2026-11-20T13:00:00.000Z', hours: 1 },
  })
  expect(expiryReport({ ...notice, hours: 0 }, after(hour)).code).toBe('session/over')
})
