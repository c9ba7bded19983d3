import { renderHook } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { useWhileVisible } from './use-while-visible'

it('begins once for each time that the window is visible, while it is wanted', () => {
  const hidden = vi.spyOn(document, 'hidden', 'get')
  const end = vi.fn()
  const begin = vi.fn(() => end)
  const counts = () => [begin.mock.calls.length, end.mock.calls.length]
  const see = (visible: boolean): void => {
    hidden.mockReturnValue(!visible)
    document.dispatchEvent(new Event('visibilitychange'))
  }
  see(true)
  const { rerender, unmount } = renderHook(
    ({ wanted }) => {
      useWhileVisible(begin, wanted)
    },
    {
      initialProps: { wanted: true },
    },
  )
  expect(counts()).toEqual([1, 0])
  see(true)
  expect(counts()).toEqual([1, 0])
  see(false)
  see(false)
  expect(counts()).toEqual([1, 1])
  see(true)
  expect(counts()).toEqual([2, 1])
  rerender({ wanted: false })
  expect(counts()).toEqual([2, 2])
  see(false)
  see(true)
  expect(counts()).toEqual([2, 2])
  rerender({ wanted: true })
  unmount()
  expect(counts()).toEqual([3, 3])
  see(true)
  expect(counts()).toEqual([3, 3])
})

it('waits for the window to be visible', () => {
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
  const begin = vi.fn(() => () => undefined)
  renderHook(() => {
    useWhileVisible(begin)
  })
  expect(begin).not.toHaveBeenCalled()
  hidden.mockReturnValue(false)
  document.dispatchEvent(new Event('visibilitychange'))
  expect(begin).toHaveBeenCalledTimes(1)
})
