import { PassThrough } from 'node:stream'
import { expect, it, onTestFinished, vi } from 'vitest'
import { ask, askSecret } from './ask'

/** Replaces standard input by a terminal, until the test ends; returns it, and what happens to it and to standard error. */
function terminalInput() {
  const steps: string[] = []
  const input = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: (isRaw: boolean) => steps.push(isRaw ? 'no echo' : 'echo'),
  })
  vi.spyOn(process, 'stdin', 'get').mockReturnValue(input as unknown as typeof process.stdin)
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    steps.push(String(text))
    return true
  })
  onTestFinished(() => {
    vi.restoreAllMocks()
  })
  return { input, steps }
}

it('asks for a secret only once the terminal has stopped echoing', async () => {
  const { input, steps } = terminalInput()
  const answer = ask('Token: ', { signal: new AbortController().signal, hidden: true })
  input.write('secret\r')
  expect(await answer).toBe('secret')
  expect(steps).toEqual(['no echo', 'Token: ', 'echo', '\n'])
})

it('asks for a secret without echo also if standard error is a file', async () => {
  const { input, steps } = terminalInput()
  const { isTTY } = process.stderr
  process.stderr.isTTY = false
  onTestFinished(() => {
    process.stderr.isTTY = isTTY
  })
  const answer = askSecret('Token: ', new AbortController().signal)
  input.end('secret\r')
  expect(await answer).toBe('secret')
  expect(steps).toContain('no echo')
})
