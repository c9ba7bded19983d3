import { render, screen } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { useState, type ReactNode } from 'react'
import { useFocusRecovery } from './use-focus-recovery'

function Page({
  disabled = false,
  focused = false,
}: {
  readonly disabled?: boolean
  /** Focuses the button on mount. */
  readonly focused?: boolean
}): ReactNode {
  const [there, setThere] = useState(true)
  useFocusRecovery()
  return (
    <main>
      <section aria-label="Card">
        {there && (
          <button
            disabled={disabled}
            autoFocus={focused}
            onClick={() => {
              setThere(false)
            }}
          >
            Go
          </button>
        )}
      </section>
    </main>
  )
}

describe('useFocusRecovery', () => {
  beforeEach(() => {
    // jsdom has no layout.
    vi.spyOn(Element.prototype, 'getClientRects').mockReturnValue([{}] as unknown as DOMRectList)
  })

  it('moves the focus to the surrounding section when a button disappears', async () => {
    render(<Page />)
    screen.getByRole('button').focus()
    screen.getByRole('button').click()
    await vi.waitFor(() => {
      expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Card' }))
    })
  })

  it('also moves a focus that an element had from the start, such as the address field on the first start', async () => {
    render(<Page focused />)
    expect(document.activeElement).toBe(screen.getByRole('button'))
    screen.getByRole('button').click()
    await vi.waitFor(() => {
      expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Card' }))
    })
  })

  it('returns the focus to a button that was disabled for a while', async () => {
    const { rerender } = render(<Page />)
    const button = screen.getByRole('button')
    button.focus()
    rerender(<Page disabled />)
    button.blur()
    rerender(<Page />)
    await vi.waitFor(() => {
      expect(document.activeElement).toBe(button)
    })
  })
})
