import { act, renderHook } from '@testing-library/react'
import { expect, it } from 'vitest'
import { inWindow } from '../hooks.testing'
import { useAppState, useBridge, useCommand } from './context'
import { windowStore } from './window-store'

it.each([
  ['succeeds', { ok: true, value: undefined }, undefined],
  [
    'fails',
    { ok: false, error: { code: 'usage/unknown-instance', message: 'No.' } },
    { code: 'usage/unknown-instance', message: 'No.' },
  ],
])('shows the progress of a command that %s, each time', async (_how, answer, error) => {
  const answers: (() => void)[] = []
  const run = () =>
    new Promise((resolve) => {
      answers.push(() => {
        resolve(answer)
      })
    })
  const { result } = renderHook(() => useCommand('logOut'), { wrapper: inWindow(run) })
  expect(result.current).toMatchObject({ pending: false, error: undefined, isDone: false })
  for (const again of [0, 1]) {
    let ran: Promise<unknown> = Promise.resolve()
    act(() => {
      ran = result.current.run({ instanceId: 'vpn.example.org' })
    })
    expect(result.current, `run ${again}`).toMatchObject({ pending: true, error: undefined, isDone: false })
    answers[again]?.()
    await act(() => ran)
    expect(await ran).toEqual(answer)
    expect(result.current).toMatchObject({ pending: false, error, isDone: error === undefined })
  }
})

it('keeps a store for each window', () => {
  let created = 0
  const useNumber = windowStore(() => (created += 1))
  const { result, rerender } = renderHook(useNumber, { wrapper: inWindow() })
  rerender()
  expect(result.current).toBe(1)
  expect(renderHook(useNumber, { wrapper: inWindow() }).result.current).toBe(2)
})

it.each([useAppState, useBridge])('needs a window', (hook) => {
  expect(() => renderHook(() => hook())).toThrow('outside of AppContext')
})
