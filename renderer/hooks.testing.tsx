import { act } from '@testing-library/react'
import type { ComponentType, ReactNode } from 'react'
import type { Bridge } from '../contract/bridge'
import { emptyState } from './empty-state.testing'
import { AppContext } from './store/context'

/** Returns a wrapper for hooks of a window whose commands the test answers. */
export function inWindow(
  run: (name: string, input: unknown) => Promise<unknown> = () => Promise.resolve({ ok: true }),
): ComponentType<{ readonly children: ReactNode }> {
  const bridge = { run } as unknown as Bridge
  return function Window({ children }) {
    return (
      <AppContext bridge={bridge} state={emptyState}>
        {children}
      </AppContext>
    )
  }
}

/** Does something, and waits until the page shows what follows from it, with what that fetches. */
export async function settled(change: () => void = () => undefined): Promise<void> {
  act(change)
  for (let turn = 0; turn < 10; turn++)
    await act(async () => {
      await new Promise((resolve) => {
        setTimeout(resolve)
      })
    })
}
