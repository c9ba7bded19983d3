import { act, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, it } from 'vitest'
import type { Bridge } from '../../contract/bridge'
import type { CommandName, CommandResult } from '../../contract/commands'
import { emptyState } from '../empty-state.testing'
import { AppContext } from './context'
import { useResult } from './use-result'

it('ignores a late answer to an earlier input', async () => {
  const answers: ((result: unknown) => void)[] = []
  const bridge: Bridge = {
    run<Name extends CommandName>() {
      return new Promise<CommandResult<Name>>((resolve) => {
        answers.push((result) => {
          resolve(result as CommandResult<Name>)
        })
      })
    },
    offerFiles: () => Promise.resolve({ ok: true, value: { files: [], refused: [] } }),
    state: () => Promise.resolve(emptyState),
    onStateChanged: () => () => undefined,
    onConnectionNews: () => () => undefined,
  }
  const { result, rerender } = renderHook(
    ({ instanceId }) => useResult('organizationCredentials', { instanceId }),
    {
      initialProps: { instanceId: 'first' },
      wrapper: ({ children }: { readonly children: ReactNode }) => (
        <AppContext bridge={bridge} state={emptyState}>
          {children}
        </AppContext>
      ),
    },
  )
  rerender({ instanceId: 'second' })
  expect(answers).toHaveLength(2)

  const newer = { ok: true, value: { bearer: true, basic: false } }
  await act(async () => {
    answers[1]?.(newer)
    await Promise.resolve()
  })
  expect(result.current).toEqual({ result: newer, isPending: false })

  await act(async () => {
    answers[0]?.({ ok: true, value: { bearer: false, basic: true } })
    await Promise.resolve()
  })
  expect(result.current).toEqual({ result: newer, isPending: false })
})
