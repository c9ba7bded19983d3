import { describe, expect, it } from 'vitest'
import { textParts } from './text-parts'

describe('a plain text', () => {
  it('has hashtags, in any script, that can be searched for', () => {
    expect(textParts('Read (#dns) and #приватность.')).toEqual([
      { kind: 'text', text: 'Read (' },
      { kind: 'hashtag', text: '#dns' },
      { kind: 'text', text: ') and ' },
      { kind: 'hashtag', text: '#приватность' },
      { kind: 'text', text: '.' },
    ])
  })

  it('has none in numbers, words and addresses', () => {
    const text = 'Issue #12, C#sharp, &#x41;'
    expect(textParts(text)).toEqual([{ kind: 'text', text }])
    expect(textParts('https://example.org/a#part')).toEqual([
      { kind: 'link', url: 'https://example.org/a#part' },
    ])
  })

  it('has addresses without the end of the sentence', () => {
    expect(textParts('See https://example.org/a?b=1, or not.')).toEqual([
      { kind: 'text', text: 'See ' },
      { kind: 'link', url: 'https://example.org/a?b=1' },
      { kind: 'text', text: ', or not.' },
    ])
    const odd = 'https://[broken and javascript:alert(1)'
    expect(textParts(odd)).toEqual([{ kind: 'text', text: odd }])
  })

  it('that is hostile and long is taken apart quickly', () => {
    const text = '#'.repeat(100_000)
    expect(textParts(text)).toEqual([{ kind: 'text', text }])
    expect(textParts(`https://${'.'.repeat(100_000)}`)).toHaveLength(1)
  })
})
