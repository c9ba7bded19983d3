import { describe, expect, it } from 'vitest'
import { describeDefect } from './defect'

describe('describeDefect', () => {
  it('returns name and stack without the message', () => {
    const text = describeDefect(new RangeError('secret\n    abc'))
    expect(text).toMatch(/^internal\/unexpected: RangeError\n\s+at .*defect\.test\.ts/)
    expect(text).not.toMatch(/secret|abc/)
  })

  it('returns only the type of a thrown value that is no error', () => {
    expect(describeDefect('token abc')).toBe('internal/unexpected: a thrown string')
  })
})
