import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { readPlaywrightReport, readVitestReport, slowestTests } from './test-reports'

async function report(json: object): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-reports-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'report.json')
  await writeFile(path, JSON.stringify(json))
  return path
}

it('lists the slowest tests of both reports, including suites, slowest first', async () => {
  const unit = await readVitestReport(
    await report({
      numPassedTests: 2,
      numFailedTests: 1,
      testResults: [
        {
          name: '/tree/main/a.test.ts',
          assertionResults: [
            { fullName: 'is quick', duration: 10 },
            { fullName: 'is slow', duration: 3000 },
            { fullName: 'is left out' },
          ],
        },
      ],
    }),
    '/tree',
  )
  const spec = (title: string, duration: number) => ({
    title,
    file: 'b.e2e.ts',
    tests: [{ results: [{ duration }] }],
  })
  const endToEnd = await readPlaywrightReport(
    await report({
      stats: { expected: 2, unexpected: 0 },
      suites: [{ specs: [spec('opens', 2000)], suites: [{ specs: [spec('is the slowest', 12_000)] }] }],
    }),
  )
  expect(unit).toMatchObject({ passed: 2, failed: 1 })
  expect(endToEnd).toMatchObject({ passed: 2, failed: 0 })
  expect(slowestTests([unit, endToEnd], 3)).toEqual([
    '  12.0 s  b.e2e.ts: is the slowest',
    '   3.0 s  main/a.test.ts: is slow',
    '   2.0 s  b.e2e.ts: opens',
  ])
})
