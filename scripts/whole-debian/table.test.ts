import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type Run, withCaptures, withSteps } from './table'

const docs = join(import.meta.dirname, '..', '..', 'docs')
const pages = await Promise.all(
  ['reliability', 'apps'].map((name) => readFile(join(docs, `${name}.md`), 'utf8')),
)
const [steps = '', apps = ''] = pages

const [starts, sleep] = [
  { name: 'starts', seconds: 90, failure: undefined },
  { name: 'sleep', seconds: 5, failure: 'no SUSPEND' },
]
const captured: Run['captured'] = (['ipv4', 'ipv6'] as const).map((family) => ({
  protocol: 'openvpn',
  family,
  mode: 'only',
  killSwitch: true,
  tunnel: 'up',
  listed: { outside: 0, inside: 1234 },
  other: { outside: 7, inside: 0 },
}))
const run = { date: '2026-11-29', minutes: 20, results: [starts, sleep], captured }
const [older, newer] = [
  { ...run, release: { name: 'older', number: 98 } },
  { ...run, release: { name: 'newer', number: 99 } },
]

/** Returns the lines between the marks of a page. */
const written = (text: string) =>
  (/(?:<!-- whole debian:).*<!-- \/whole debian -->/s.exec(text)?.[0] ?? '').split('\n')

it("replaces a release's steps on the page, and nothing else", () => {
  const first = withSteps(steps, newer)
  expect(written(first)).toContain(
    '- Debian 99 (newer), 2026-11-29, 20 minutes without hardware help: 1 of 2 steps failed.',
  )
  const both = withSteps(first, { ...older, results: [starts] })
  expect(written(both)).toContain(
    '- Debian 98 (older), 2026-11-29, 20 minutes without hardware help: all 1 steps were as expected.',
  )
  expect(both.indexOf('- Debian 98')).toBeLessThan(both.indexOf('- Debian 99'))
  expect(written(both).find((line) => line.startsWith('| starts |'))).toMatch(/\| ok, 90 s \| ok, 90 s \|$/)
  expect(written(both).find((line) => line.startsWith('| sleep |'))).toMatch(/\|  \| \*\*failed\*\*, 5 s \|$/)
  const again = withSteps(both, { ...older, results: [{ ...starts, seconds: 91 }] })
  expect(again).toBe(both.replace(/ok, 90 s \| ok, 90 s/, 'ok, 91 s | ok, 90 s'))
  for (const text of [first, both, again])
    expect(text.split(/<!-- \/?whole debian/).filter((_, index) => index !== 1)).toEqual(
      steps.split(/<!-- \/?whole debian/).filter((_, index) => index !== 1),
    )
})

it('drops a step that no release has any more', () => {
  const both = withSteps(withSteps(steps, older), newer)
  const [one, none] = [
    withSteps(both, { ...older, results: [starts] }),
    withSteps(withSteps(both, { ...older, results: [starts] }), { ...newer, results: [starts] }),
  ]
  expect(one).toContain('| sleep |')
  expect(none).not.toContain('| sleep |')
})

it("puts what was captured into its release's column", () => {
  const both = withCaptures(withCaptures(apps, newer), { ...older, captured: captured.slice(1) })
  const rows = written(both).filter((line) => line.includes('0 / 1234; 7 / 0'))
  expect(rows.map((line) => line.slice(2, -2).split(' | '))).toEqual(
    ['IPv4', 'IPv6'].map((family) => [
      ...['OpenVPN', family, '`only`', 'on', 'up'],
      ...Array.from({ length: (rows[0] ?? '').split(' | ').length - 7 }, () => expect.any(String) as string),
      family === 'IPv6' ? '0 / 1234; 7 / 0' : '',
      '0 / 1234; 7 / 0',
    ]),
  )
})
