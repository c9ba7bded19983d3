import { describe, expect, it } from 'vitest'
import { displayText, fold, SearchIndex } from './search'

const item = (displayName: string | Record<string, string>, keywords?: string | Record<string, string>) => ({
  displayName,
  keywords,
})

describe('SearchIndex', () => {
  const twente = item({ nl: 'Universiteit Twente', en: 'University of Twente' }, 'UT Enschede')
  const delft = item('TU Delft', { en: 'technical university', nl: 'technische universiteit' })
  const lodz = item({ pl: 'Politechnika Łódzka', en: 'Lodz University of Technology' })
  const tokyo = item({ ja: '東京大学', en: 'The University of Tokyo' })
  const index = new SearchIndex([twente, delft, lodz, tokyo])
  const find = (words: string, languages = ['en']) => index.search(words, languages)

  it.each([
    ['twente university', [twente]],
    ['UNIVERSITEIT', [twente, delft]],
    ['enschede', [twente]],
    ['łódzka', [lodz]],
    ['lodzka', [lodz]],
    ['東京', [tokyo]],
    ['tu', [delft]],
    ['nowhere', []],
    ['twente nowhere', []],
    ['', []],
    [' , ', []],
  ])('finds by names and keywords in all languages, with every word, in any order: %j', (words, found) => {
    expect(find(words)).toEqual(found)
  })

  it('ranks names that begin with the words first, then words that do, then keywords, sorted by the shown name', () => {
    expect(find('university')).toEqual([twente, lodz, tokyo, delft])
  })
})

describe('fold', () => {
  it.each([
    ['Universität Zürich', 'universitat zurich'],
    ['Straße', 'strasse'],
    ['Øresund æ', 'oresund ae'],
    ['İstanbul IĞDIR ığdır', 'istanbul igdir igdir'],
    ['ΟΔΟΣ', 'οδοσ'],
    ["  O'Neil—College ", 'o neil college'],
    ['ﬁ', 'fi'],
  ])('takes case, diacritics and punctuation out of %j', (text, folded) => {
    expect(fold(text)).toBe(folded)
    expect(fold(folded)).toBe(folded)
  })
})

describe('displayText', () => {
  const texts = {
    'de-CH': 'Schweiz',
    de: 'Deutsch',
    'zh-CN': 'Chinese',
    'en-US': 'American',
    en: 'English',
    fr: '',
  }
  it.each([
    [['de-CH'], 'Schweiz'],
    [['de'], 'Deutsch'],
    [['de-AT'], 'Deutsch'],
    [['zh-TW'], 'Chinese'],
    [['zh'], 'Chinese'],
    [['ja', 'de'], 'Deutsch'],
    [['fr'], 'American'],
    [[], 'American'],
  ])(
    'takes the exact language, one that begins with it, the primary one, or English: %j',
    (languages, text) => {
      expect(displayText(texts, languages)).toBe(text)
    },
  )

  it('returns any text if there is none in these languages, and a plain text unchanged', () => {
    expect(displayText({ nl: 'Nederlands' }, ['de'])).toBe('Nederlands')
    expect(displayText('Plain', ['de'])).toBe('Plain')
    expect(displayText({ en_GB: 'British' }, ['en-GB'])).toBe('British')
    expect(displayText({}, ['de'])).toBe('')
  })
})
