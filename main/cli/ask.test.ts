import { PassThrough } from 'node:stream'
import { expect, it, onTestFinished, vi } from 'vitest'
import { ask } from './ask'

it('asks for a secret only once the terminal has stopped echoing', async () => {
  const steps: string[] = []
  const input = Object.assign(new PassThrough(), {
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
  const answer = ask('Token: ', { signal: new AbortController().signal, hidden: true })
  input.write('secret\r')
  expect(await answer).toBe('secret')
  expect(steps).toEqual(['no echo', 'Token: ', 'echo', '\n'])
})
