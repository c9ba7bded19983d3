import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { MockServer } from '../../../mock-server/server'
import { startTestMock } from '../../../mock-server/test-authority'
import { TestClient } from '../../../mock-server/test-client'
import { CausewayError } from '../../errors'
import { createHttpClient } from '../http/http-client'
import { clockAhead, findWrongClock } from './wrong-clock'

const now = Date.parse('2026-11-20T12:00:00Z')

describe('the clock difference', () => {
  it.each<[Record<string, string>, number | undefined]>([
    [{ date: 'Fri, 20 Nov 2026 12:00:00 GMT' }, 0],
    [{ date: 'Fri, 20 Nov 2026 13:30:00 GMT' }, -90 * 60_000],
    [{ date: 'Wed, 18 Nov 2026 12:00:00 GMT' }, 48 * 3_600_000],
    [{ date: 'Wed, 18 Nov 2026 12:00:00 GMT', age: '172800' }, undefined],
    [{ date: '2026' }, undefined],
    [{ date: 'Fri, 99 Nov 2026 12:00:00 GMT' }, undefined],
    [{}, undefined],
  ])('of an answer with %j is %s', (headers, ahead) => {
    expect(clockAhead(new Headers(headers), now)).toBe(ahead)
  })
})

describe('the clock of this computer', () => {
  let server: MockServer
  beforeEach(async () => {
    server = await startTestMock({ clock: { now: () => new Date(now) } })
  })
  afterEach(() => server.close())

  const cause = new CausewayError('certificate/clock-mismatch', {
    details: { notBefore: '', notAfter: '', now: '' },
  })
  const check = (localTime: number, address = server.instance) =>
    findWrongClock({ http: createHttpClient(), address, now: () => localTime }, cause)

  it.each([
    [6 * 60_000, '2026-11-20T12:06:00.000Z'],
    [-90 * 60_000, '2026-11-20T10:30:00.000Z'],
    [-26 * 3_600_000, '2026-11-19T10:00:00.000Z'],
    [60 * 24 * 3_600_000, '2027-01-19T12:00:00.000Z'],
  ])('is reported as %s for %d ms', async (offset, localTime) => {
    const error = await check(now + offset)
    expect(error).toMatchObject({
      code: 'clock/wrong',
      cause,
      details: { aheadSeconds: offset / 1000, serverTime: '2026-11-20T12:00:00.000Z' },
    })
    expect(error?.message).toContain(
      `clock (${localTime}) doesn't match the clock of ${new URL(server.instance).host} (2026-11-20T12:00:00.000Z).`,
    )
  })

  it('is accepted up to five minutes', async () => {
    expect(await check(now + 5 * 60_000)).toBeUndefined()
    expect(await check(now - 5 * 60_000)).toBeUndefined()
  })

  it('is checked with an answer of any status, and unknown without one', async () => {
    const control = new TestClient(server)
    await control.control('POST', '/faults', { match: { path: '/info.json' }, fault: { status: 503 } })
    expect(await check(now + 3_600_000)).toMatchObject({ code: 'clock/wrong' })
    await control.control('DELETE', '/faults')
    await control.control('POST', '/scenarios/portal-unreachable')
    expect(await check(now + 3_600_000)).toBeUndefined()
  })
})
