import { describe, expect, it } from 'vitest'
import { bestWording } from './languages'

describe('bestWording', () => {
  it.each([
    [['nl-BE', 'en'], 'nl', 'nl-BE'],
    [['fy', 'nl'], 'nl', 'nl'],
    [['EN-us', 'nl'], 'en', 'en-US'],
    [['nl', 'en-GB', 'nl-BE'], 'nl', 'nl-BE'],
    [['fy'], 'en', 'en'],
    [['not a tag', 'constructor', 'nl'], 'nl', 'nl'],
    [[], 'en', 'en'],
  ])('of %j is %s, written as in %s', (tags, language, locale) => {
    expect(bestWording(tags)).toEqual({ language, locale, direction: 'ltr' })
  })
})
