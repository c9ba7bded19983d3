import { describe, expect, it } from 'vitest'
import { replaceWhileInUse } from './while-in-use'

const failing = (code: string, times: number) => {
  let calls = 0
  return {
    calls: () => calls,
    replace: () => {
      calls += 1
      return calls > times
        ? Promise.resolve('replaced')
        : Promise.reject(Object.assign(new Error(code), { code }))
    },
  }
}

describe('replacing a file that another process has open', () => {
  const waits: number[] = []
  const on = (platform: NodeJS.Platform) => ({
    platform,
    wait: (milliseconds: number) => Promise.resolve(waits.push(milliseconds)),
  })

  it.each(['EPERM', 'EACCES', 'EBUSY'])('succeeds on Windows once %s has ended', async (code) => {
    const { replace, calls } = failing(code, 5)
    expect(await replaceWhileInUse(replace, on('win32'))).toBe('replaced')
    expect(calls()).toBe(6)
  })

  it('fails on Windows after about two seconds', async () => {
    waits.length = 0
    await expect(replaceWhileInUse(failing('EPERM', 1e6).replace, on('win32'))).rejects.toThrow('EPERM')
    const waited = waits.reduce((sum, each) => sum + each, 0)
    expect(waited).toBeGreaterThanOrEqual(2000)
    expect(waited).toBeLessThan(2200)
  })

  it('fails at once with other errors, and on other systems', async () => {
    const full = failing('ENOSPC', 1)
    await expect(replaceWhileInUse(full.replace, on('win32'))).rejects.toThrow('ENOSPC')
    const denied = failing('EACCES', 1)
    await expect(replaceWhileInUse(denied.replace, on('linux'))).rejects.toThrow('EACCES')
    expect([full.calls(), denied.calls()]).toEqual([1, 1])
  })
})
