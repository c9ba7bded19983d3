import fc from 'fast-check'
import { expect, it } from 'vitest'
import { processorTime } from '../../../scripts/processor-time'
import { withoutSecrets } from './without-secrets'

const kept = (value: unknown): unknown => JSON.parse(withoutSecrets(JSON.stringify(value)) ?? 'null')

it('keeps an uploaded file without its address, and a link with it', () => {
  const file = {
    id: '1',
    type: 'INTERNAL',
    title: 'Plan',
    url: 'https://storage.example.org/1?X-Amz-Signature=s3cret',
  }
  const link = { id: '2', type: 'EXTERNAL', title: 'Map', url: 'https://example.org/map?id=2&page=3' }
  expect(kept({ data: [file, link], totalCount: 2 })).toEqual({
    data: [{ ...file, url: '' }, link],
    totalCount: 2,
  })
})

it.each([
  'https://storage.example.org/a.png?X-Amz-Credential=s3cret&X-Amz-Signature=s3cret',
  'https://storage.example.org/a.png?x=1&Signature=s3cret',
  'https://storage.example.org/a.png?sv=2024&sig=s3cret',
  'https://storage.example.org/a.png?X-Goog-Signature=s3cret#part',
  'https://storage.example.org/a.png?access_token=s3cret',
  'https://storage.example.org/a.png#access_token=s3cret',
  'https://storage.example.org/a.png?a=1&amp;token=s3cret',
  'https://storage.example.org/a.png?%73ig=s3cret',
  'HTTPS://storage.example.org/a.png?x=%&SIG=s3cret',
  'http://127.0.0.1:5006/a.png?api_key=s3cret',
  'https://ann:s3cret@storage.example.org/a.png',
])('removes the secret of %s wherever it occurs', (address) => {
  const answer = {
    url: address,
    intro: `<img src="${address}"> and ${address}, twice`,
    entryJSON: JSON.stringify({ data: [{ type: 'image', data: { url: address } }] }),
    escaped: JSON.stringify({ url: address }).replaceAll('/', '\\/'),
    deep: [[{ covers: [address] }]],
  }
  const text = withoutSecrets(JSON.stringify(answer)) ?? ''
  expect(text).not.toContain('s3cret')
  expect(text).toContain('storage.example.org/a.png'.slice(-5))
  const { entryJSON, escaped } = JSON.parse(text) as typeof answer
  expect(() => [JSON.parse(entryJSON) as unknown, JSON.parse(escaped) as unknown]).not.toThrow()
})

it('keeps every digit of a number', () => {
  expect(withoutSecrets('[{"id":1050118621198921728,"token":"s"}]')).toBe('[{"id":1050118621198921728}]')
})

it('removes fields with secret names', () => {
  expect(kept({ name: 'Ann', access_token: 's', password: 's', clientSecret: 's', orgId: 1 })).toEqual({
    name: 'Ann',
    orgId: 1,
  })
})

it('keeps addresses without secrets', () => {
  const text =
    'See https://example.org/a?author=ann&keyword=keys&page=2#signature and https://example.org/@ann.'
  expect(kept({ text })).toEqual({ text })
})

it('returns undefined for anything but JSON', () => {
  for (const text of ['', '<html>', 'remote vpn.example.org', '['.repeat(100_000)])
    expect(withoutSecrets(text)).toBeUndefined()
})

it('keeps an answer without addresses unchanged', () => {
  const plain = fc
    .jsonValue()
    .filter((value) => !/http|INTERNAL|token|secret|passw/i.test(JSON.stringify(value)))
  fc.assert(
    fc.property(plain, (value) => {
      expect(withoutSecrets(JSON.stringify(value))).toBe(JSON.stringify(value))
    }),
    { numRuns: 1000, seed: 1 },
  )
})

it('handles long addresses quickly', () => {
  const answer = { a: `https://example.org/?${'token'.repeat(100_000)}`, b: 'https://'.repeat(50_000) }
  expect(processorTime(() => withoutSecrets(JSON.stringify(answer)))).toBeLessThan(2000)
})
