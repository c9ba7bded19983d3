import { describe, expect, it } from 'vitest'
import { textParts } from './text-parts'

describe('textParts', () => {
  it('finds hashtags in any script', () => {
    expect(textParts('Read (#dns) and #приватность.')).toEqual([
      { kind: 'text', text: 'Read (' },
      { kind: 'hashtag', text: '#dns' },
      { kind: 'text', text: ') and ' },
      { kind: 'hashtag', text: '#приватность' },
      { kind: 'text', text: '.' },
    ])
  })

  it('finds no hashtags in numbers, words and addresses', () => {
    const text = 'Issue #12, C#sharp, &#x41;'
    expect(textParts(text)).toEqual([{ kind: 'text', text }])
    expect(textParts('https://example.org/a#part')).toEqual([
      { kind: 'link', url: 'https://example.org/a#part' },
    ])
  })

  it('excludes punctuation at the end of a sentence from addresses', () => {
    expect(textParts('See https://example.org/a?b=1, or not.')).toEqual([
      { kind: 'text', text: 'See ' },
      { kind: 'link', url: 'https://example.org/a?b=1' },
      { kind: 'text', text: ', or not.' },
    ])
    const odd = 'https://[broken and javascript:alert(1)'
    expect(textParts(odd)).toEqual([{ kind: 'text', text: odd }])
  })

  it('handles long hostile text quickly', () => {
    const text = '#'.repeat(100_000)
    expect(textParts(text)).toEqual([{ kind: 'text', text }])
    expect(textParts(`https://${'.'.repeat(100_000)}`)).toHaveLength(1)
  })
})
