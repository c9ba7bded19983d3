import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createMockServer, type MockServer } from '../../../mock-server/server'
import { TestClient } from '../../../mock-server/test-client'
import { CausewayError } from '../../errors'
import { createHttpClient } from '../http/http-client'
import { clockAhead, findWrongClock } from './wrong-clock'

const now = Date.parse('2026-11-20T12:00:00Z')

describe('an answer', () => {
  it.each<[Record<string, string>, number | undefined]>([
    [{ date: 'Fri, 20 Nov 2026 12:00:00 GMT' }, 0],
    [{ date: 'Fri, 20 Nov 2026 13:30:00 GMT' }, -90 * 60_000],
    [{ date: 'Wed, 18 Nov 2026 12:00:00 GMT' }, 48 * 3_600_000],
    [{ date: 'Wed, 18 Nov 2026 12:00:00 GMT', age: '172800' }, undefined],
    [{ date: '2026' }, undefined],
    [{ date: 'Fri, 99 Nov 2026 12:00:00 GMT' }, undefined],
    [{}, undefined],
  ])('with %j is told as %s', (headers, ahead) => {
    expect(clockAhead(new Headers(headers), now)).toBe(ahead)
  })
})

describe('the clock of this computer', () => {
  let server: MockServer
  beforeEach(async () => {
    server = await createMockServer({ clock: { now: () => new Date(now) } })
  })
  afterEach(() => server.close())

  const cause = new CausewayError('certificate/clock-mismatch', 'It does not fit.')
  const check = (localTime: number, address = server.instance) =>
    findWrongClock({ http: createHttpClient(), address, now: () => localTime }, cause)

  it.each([
    [6 * 60_000, '6 minutes ahead of'],
    [-90 * 60_000, '90 minutes behind'],
    [-26 * 3_600_000, '26 hours behind'],
    [60 * 24 * 3_600_000, '60 days ahead of'],
  ])('that is off by %d ms is said to be %s', async (offset, words) => {
    const error = await check(now + offset)
    expect(error).toMatchObject({
      code: 'clock/wrong',
      cause,
      details: { aheadSeconds: offset / 1000, serverTime: '2026-11-20T12:00:00.000Z' },
    })
    expect(error?.message).toContain(`is ${words} ${new URL(server.instance).host}.`)
  })

  it('is left in peace within five minutes', async () => {
    expect(await check(now + 5 * 60_000)).toBeUndefined()
    expect(await check(now - 5 * 60_000)).toBeUndefined()
  })

  it('is judged by an answer of any status, and not where there is none', async () => {
    const control = new TestClient(server)
    await control.control('POST', '/faults', { match: { path: '/info.json' }, fault: { status: 503 } })
    expect(await check(now + 3_600_000)).toMatchObject({ code: 'clock/wrong' })
    await control.control('DELETE', '/faults')
    await control.control('POST', '/scenarios/portal-unreachable')
    expect(await check(now + 3_600_000)).toBeUndefined()
  })
})
