import { act, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { NearBlocks } from './near-blocks'

/** The observers of the blocks, which see nothing until a test calls them. */
const observers: { readonly target: Element; tell(isIntersecting: boolean): void }[] = []
const everythingSeen = window.IntersectionObserver

class ToldObserver {
  readonly #callback: IntersectionObserverCallback

  constructor(callback: IntersectionObserverCallback) {
    this.#callback = callback
  }
  observe(target: Element): void {
    observers.push({
      target,
      tell: (isIntersecting) => {
        const entry = { target, isIntersecting } as IntersectionObserverEntry
        act(() => {
          this.#callback([entry], this as unknown as IntersectionObserver)
        })
      },
    })
  }
  disconnect(): void {
    return
  }
}

beforeEach(() => {
  observers.length = 0
  window.IntersectionObserver = ToldObserver as unknown as typeof IntersectionObserver
})
afterEach(() => {
  window.IntersectionObserver = everythingSeen
})

const rows = (): (string | null)[] => screen.getAllByRole('listitem').map(({ textContent }) => textContent)

describe('a list of 200 rows', () => {
  const list = (
    <NearBlocks
      label="Profiles"
      count={200}
      rowHeight={45}
      row={(index) => (
        <div key={index} role="listitem">
          <button type="button">{index}</button>
        </div>
      )}
    />
  )

  it('renders only the rows that are near, and leaves room for the others', () => {
    render(list)
    expect(rows()).toEqual(['0', '1', '2', '3', '4', '5', '6', '7'])
    expect(screen.getByRole('list', { name: 'Profiles' }).children).toHaveLength(25)
    expect((observers[0]?.target as HTMLElement | undefined)?.style.height).toBe('360px')
    observers[0]?.tell(true)
    expect(rows()).toHaveLength(16)
    expect((observers[0]?.target as HTMLElement | undefined)?.style.height).toBe('')
    observers[0]?.tell(false)
    expect(rows()).toHaveLength(8)
  })

  it('keeps the rows that hold the focus', () => {
    render(list)
    observers[0]?.tell(true)
    screen.getByRole('button', { name: '9' }).focus()
    observers[0]?.tell(false)
    expect(rows()).toHaveLength(16)
  })
})
