import { renderHook } from '@testing-library/react'
import { expect, it, onTestFinished, vi } from 'vitest'
import { useDay } from './use-day'

it('goes by the time zone that the computer has now, such as after a journey', () => {
  vi.useFakeTimers({ now: Date.UTC(2026, 0, 20, 12), toFake: ['Date'] })
  onTestFinished(() => {
    vi.useRealTimers()
    vi.unstubAllEnvs()
  })
  const { result } = renderHook(() => useDay('long'))
  const inZone = (zone: string, month: number): string => {
    vi.stubEnv('TZ', zone)
    return result.current(Date.UTC(2025, month, 15, 12))
  }
  const [january, july] = [0, 6]
  expect(inZone('Europe/Amsterdam', january)).toMatch(/1:00.PM$/)
  expect(inZone('Asia/Tokyo', january)).toMatch(/9:00.PM$/)
  // In winter, the time there is that of Amsterdam.
  expect(inZone('Europe/Amsterdam', july)).toMatch(/2:00.PM$/)
  expect(inZone('Africa/Lagos', july)).toMatch(/1:00.PM$/)
})

it.each([-8.64e15, 8.64e15, NaN, 8.64e15 + 1])(
  'formats a time like %s from a service without an error',
  (time) => {
    const { result } = renderHook(() => useDay('long'))
    expect(result.current(time)).toMatch(/^$|\d/)
  },
)
