import { expect, it } from 'vitest'
import { withNight } from './nightly-table'

const page = `# Testing

<!-- nightly: written by it -->

| Part      | What    | With          | When       | Result     | Took  |
| --------- | ------- | ------------- | ---------- | ---------- | ----- |
| \`soak\`    | grows   | Node.js 20.20 | 2026-11-01 | **failed** | 3 min |
| \`windows\` | Windows | Wine 8        | 2026-11-02 | passed     | 9 min |

<!-- /nightly -->

More.
`
const ran = { used: 'Node.js 22.1', hasPassed: true, minutes: 4 }

it('replaces the row of a part, and keeps the others', () => {
  const text = withNight(page, { key: 'soak', name: 'grows', ...ran }, '2026-11-03')
  expect(text).toContain('| `soak` | grows | Node.js 22.1 | 2026-11-03 | passed | 4 min |')
  expect(text).toContain('| `windows` | Windows | Wine 8        | 2026-11-02 | passed     | 9 min |')
  expect(text.match(/`soak`/g)).toHaveLength(1)
  expect(text).toMatch(/^# Testing\n\n<!-- nightly[^]*\n<!-- \/nightly -->\n\nMore\.\n$/)
})

it('adds the row of a new part in its place, and says that it failed', () => {
  const text = withNight(page, { key: 'mutants', name: 'mutants', ...ran, hasPassed: false }, '2026-11-03')
  expect(text.indexOf('`mutants`')).toBeLessThan(text.indexOf('`soak`'))
  expect(text).toContain('| `mutants` | mutants | Node.js 22.1 | 2026-11-03 | **failed** | 4 min |')
})

it('keeps a name that is the beginning of another', () => {
  const both = withNight(page, { key: 'soak-long', name: 'longer', ...ran }, '2026-11-03')
  expect(withNight(both, { key: 'soak', name: 'grows', ...ran }, '2026-11-04')).toContain('`soak-long`')
})
