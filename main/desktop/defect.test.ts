import { describe, expect, it } from 'vitest'
import { describeDefect } from './defect'

describe('describeDefect', () => {
  it('names the kind and the place, and keeps the message out', () => {
    const text = describeDefect(new RangeError('secret\n    abc'))
    expect(text).toMatch(/^internal\/unexpected: RangeError\n\s+at .*defect\.test\.ts/)
    expect(text).not.toMatch(/secret|abc/)
  })

  it('does not show what was thrown where it is no error', () => {
    expect(describeDefect('token abc')).toBe('internal/unexpected: a thrown string')
  })
})
