import { act, cleanup, render, screen } from '@testing-library/react'
import { Component, type ReactNode } from 'react'
import { expect, it, vi } from 'vitest'
import { loadedLater } from './loaded-later'

const Greeting = ({ name }: { readonly name: string }): ReactNode => <p>Hello, {name}</p>

it('shows the component once it is loaded, and at once from then on', async () => {
  const load = vi.fn(() => Promise.resolve(Greeting))
  const Later = loadedLater(load)
  const first = render(<Later name="Ann" />)
  expect(screen.queryByText('Hello, Ann')).toBeNull()
  await act(() => Promise.resolve())
  expect(screen.getByText('Hello, Ann')).toBeTruthy()
  first.unmount()
  render(<Later name="Bob" />)
  expect(screen.getByText('Hello, Bob')).toBeTruthy()
  expect(load).toHaveBeenCalledTimes(1)
})

it('throws a failure to the nearest error boundary, and loads again the next time', async () => {
  const silent = vi.spyOn(console, 'error').mockReturnValue()
  const load = vi.fn<() => Promise<typeof Greeting>>()
  load.mockRejectedValueOnce(new Error('gone')).mockResolvedValue(Greeting)
  const Later = loadedLater(load)
  render(
    <Boundary>
      <Later name="Ann" />
    </Boundary>,
  )
  await act(() => Promise.resolve())
  expect(screen.getByText('failed')).toBeTruthy()
  cleanup()
  render(<Later name="Ann" />)
  await act(() => Promise.resolve())
  expect(screen.getByText('Hello, Ann')).toBeTruthy()
  silent.mockRestore()
})

class Boundary extends Component<{ readonly children: ReactNode }, { readonly failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError(): { readonly failed: boolean } {
    return { failed: true }
  }

  override render(): ReactNode {
    return this.state.failed ? <p>failed</p> : this.props.children
  }
}
