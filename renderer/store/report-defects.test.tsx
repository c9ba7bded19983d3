import { expect, it } from 'vitest'
import { commands } from '../../contract/commands'
import { reportDefects } from './report-defects'

it('reports uncaught errors without their messages, limited in number and size', () => {
  const ran: unknown[] = []
  const report = reportDefects({
    run: (name, input) => {
      ran.push({ name, input })
      return Promise.reject(new Error('main is gone'))
    },
  })
  const thrown = new TypeError('token abc123')
  window.dispatchEvent(new ErrorEvent('error', { error: thrown, message: 'token abc123' }))
  window.dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason: 'token abc123' }))
  const huge = Object.assign(new Error('x'), {
    name: 'n'.repeat(1000),
    stack: `Error\n${`    at ${'f'.repeat(1000)}\n`.repeat(100)}`,
  })
  report(huge)
  expect(ran).toMatchObject([
    {
      name: 'reportDefect',
      input: { kind: 'TypeError', at: expect.arrayContaining([expect.stringMatching(/^at /)]) as string[] },
    },
    { name: 'reportDefect', input: { kind: 'string', at: [] } },
    { name: 'reportDefect' },
  ])
  expect(JSON.stringify(ran)).not.toContain('abc123')
  for (const { input } of ran as { input: unknown }[]) {
    expect(commands.reportDefect.input.safeParse(input).success).toBe(true)
  }
  const at = { filename: 'app://causeway/main.js', lineno: 3, colno: 7 }
  window.dispatchEvent(new ErrorEvent('error', { error: 'token abc123', message: 'token abc123', ...at }))
  expect(ran.at(-1)).toEqual({
    name: 'reportDefect',
    input: { kind: 'string', at: ['at app://causeway/main.js:3:7'] },
  })
  // Chromium's message about a layout that takes two rounds.
  window.dispatchEvent(new ErrorEvent('error', { message: 'ResizeObserver loop completed' }))
  expect(ran).toHaveLength(4)
  for (let count = 0; count < 100; count += 1) report(thrown)
  expect(ran).toHaveLength(20)
})
