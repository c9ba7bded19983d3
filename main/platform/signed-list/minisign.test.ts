import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cases } from '../../../scripts/fuzzing'
import { hasCode } from '../../errors'
import { parseMinisignKey, type MinisignKey } from './minisign'
import { type MinisignVector, minisignVectors } from './minisign-vectors.testing'
import { commentFor, TestSigner } from './signed-list.testing'
import { verifyMinisign } from './verify-minisign'
import { anyText } from '../../../scripts/any-text'

function keyOf(text: string): MinisignKey {
  const key = parseMinisignKey(text)
  if (key === undefined) throw new Error('This is not a key.')
  return key
}

/** Returns `accepted`, or the error. */
function outcomeOf(
  signature: string,
  { keys, file, legacy, content }: Pick<MinisignVector, 'keys' | 'file' | 'legacy' | 'content'>,
): unknown {
  try {
    verifyMinisign(Buffer.from(content), signature, {
      area: 'organization-list',
      keys: keys.map(keyOf),
      file,
      legacy,
    })
    return 'accepted'
  } catch (error) {
    return error
  }
}

const signer = new TestSigner()
const expected = {
  keys: [signer.publicKey],
  file: 'server_list.json',
  legacy: 'accept',
  content: '{"v":7,"server_list":[]}',
} as const

describe('a signature', () => {
  it.each(minisignVectors)('$name: $outcome', ({ signature, outcome, ...vector }) => {
    const error = { code: 'organization-list/invalid-signature', details: { reason: outcome } }
    if (outcome === 'accepted') expect(outcomeOf(signature, vector)).toBe('accepted')
    else expect(outcomeOf(signature, vector)).toMatchObject(error)
  })

  it('has the time at which it was made', () => {
    const comment = commentFor(expected.file, 1_700_000_000)
    const { content, keys } = expected
    expect(
      verifyMinisign(Buffer.from(content), signer.sign(content, { comment }), {
        ...expected,
        area: 'organization-list',
        keys: keys.map(keyOf),
      }),
    ).toEqual({ timestamp: 1_700_000_000 })
  })

  it('refuses a signature file with any single character changed', () => {
    const signature = signer.sign(expected.content, { comment: commentFor(expected.file, 1_700_000_000) })
    // Text before the first line break isn't signed.
    const start = signature.indexOf('\n') + 1
    fc.assert(
      fc.property(
        fc.integer({ min: start, max: signature.length - 2 }),
        fc.string({ minLength: 1, maxLength: 1 }),
        (at, character) => {
          fc.pre(signature[at] !== character && signature[at] !== '\n')
          const changed = signature.slice(0, at) + character + signature.slice(at + 1)
          expect(outcomeOf(changed, expected)).not.toBe('accepted')
        },
      ),
      cases('a signature with one character changed'),
    )
  })

  it('throws only its own error for any text', () => {
    fc.assert(
      fc.property(anyText(), fc.array(fc.string(), { maxLength: 6 }), (text, lines) => {
        for (const each of [text, lines.join('\n')]) {
          expect(hasCode(outcomeOf(each, expected), 'organization-list/invalid-signature')).toBe(true)
        }
      }),
      cases('any text as a signature'),
    )
  })
})

const key = 'RWRrhJLRtxnrDfd42nsPP7N2GO1uTi8P2SbX8bXzKiqXwq0GcWkI0mgi'

describe('parseMinisignKey', () => {
  it('reads the id and the key of a line, with spaces around it', () => {
    expect(parseMinisignKey(` ${key}\n`)?.id).toBe('6b8492d1b719eb0d')
  })

  it.each([
    '',
    'RWRrhJLRtxnrDfd42nsPP7N2GO1uTi8P2SbX8bXzKiqXwq0GcWkI0mg',
    key.replace('RW', 'RU'),
    `${key}AAAA`,
    key.replace('8', '!'),
    Buffer.from(key, 'base64').toString('hex'),
  ])('refuses an invalid signature file: %s', (text) => {
    expect(parseMinisignKey(text)).toBeUndefined()
  })
})
