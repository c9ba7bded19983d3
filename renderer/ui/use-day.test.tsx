import { renderHook } from '@testing-library/react'
import { expect, it, onTestFinished, vi } from 'vitest'
import { useDay } from './use-day'

it('goes by the time zone that the computer has now, such as after a journey', () => {
  onTestFinished(() => {
    vi.unstubAllEnvs()
  })
  const time = Date.UTC(2026, 0, 15, 12)
  const { result } = renderHook(() => useDay('long'))
  const inZone = (zone: string): string => {
    vi.stubEnv('TZ', zone)
    return result.current(time)
  }
  expect(inZone('Europe/Amsterdam')).toMatch(/1:00.PM$/)
  expect(inZone('Asia/Tokyo')).toMatch(/9:00.PM$/)
})
