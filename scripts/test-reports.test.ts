import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { readPlaywrightReport, readVitestReport, secondTryLines, slowestTests } from './test-reports'

async function report(json: object): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-reports-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'report.json')
  await writeFile(path, JSON.stringify(json))
  return path
}

const passed = { status: 'passed', failureMessages: [] }

it('lists the slowest tests of both reports, including suites, slowest first', async () => {
  const unit = await readVitestReport(
    await report({
      numPassedTests: 2,
      numFailedTests: 1,
      testResults: [
        {
          name: '/tree/main/a.test.ts',
          assertionResults: [
            { ...passed, fullName: 'is quick', duration: 10 },
            { ...passed, fullName: 'is slow', duration: 3000 },
            { ...passed, fullName: 'is left out', status: 'skipped' },
          ],
        },
      ],
    }),
    '/tree',
  )
  const spec = (title: string, duration: number) => ({
    title,
    file: 'b.e2e.ts',
    tests: [{ status: 'expected', results: [{ duration }] }],
  })
  const endToEnd = await readPlaywrightReport(
    await report({
      stats: { expected: 2, unexpected: 0, flaky: 0 },
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

it('lists the tests of both reports that passed on their second try, with the error of the first', async () => {
  const error = 'Error: \u001B[31mtoo late\u001B[39m\n    at a.test.ts'
  const unit = await readVitestReport(
    await report({
      numPassedTests: 2,
      numFailedTests: 1,
      testResults: [
        {
          name: '/tree/main/a.test.ts',
          assertionResults: [
            { ...passed, fullName: 'is steady' },
            { ...passed, fullName: 'is flaky', failureMessages: [error] },
            { fullName: 'fails', status: 'failed', failureMessages: [error, error] },
          ],
        },
      ],
    }),
    '/tree',
  )
  const spec = (title: string, status: string, results: object[]) => ({
    title,
    file: 'b.e2e.ts',
    tests: [{ status, results: results.map((result) => ({ duration: 1, ...result })) }],
  })
  const endToEnd = await readPlaywrightReport(
    await report({
      stats: { expected: 1, unexpected: 1, flaky: 1 },
      suites: [
        {
          specs: [
            spec('is steady', 'expected', [{}]),
            spec('is flaky', 'flaky', [{ error: { message: error } }, {}]),
            spec('fails', 'unexpected', [{ error: { message: error } }, { error: { message: error } }]),
          ],
        },
      ],
    }),
  )
  expect(endToEnd).toMatchObject({ passed: 2, failed: 1 })
  expect(secondTryLines([unit, endToEnd])).toEqual([
    '  main/a.test.ts: is flaky\n    Error: too late',
    '  b.e2e.ts: is flaky\n    Error: too late',
  ])
})
