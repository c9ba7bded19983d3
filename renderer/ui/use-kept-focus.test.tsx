import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { useState, type ReactNode } from 'react'
import { useKeptFocus } from './use-kept-focus'

function Page({
  disabled = false,
  focused = false,
}: {
  readonly disabled?: boolean
  /** The button has the focus from the first. */
  readonly focused?: boolean
}): ReactNode {
  const [there, setThere] = useState(true)
  useKeptFocus()
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

afterEach(cleanup)

describe('the focus', () => {
  beforeEach(() => {
    // Nothing is drawn here.
    vi.spyOn(Element.prototype, 'getClientRects').mockReturnValue([{}] as unknown as DOMRectList)
  })

  it('goes to what stood around a button that is gone', async () => {
    render(<Page />)
    screen.getByRole('button').focus()
    screen.getByRole('button').click()
    await vi.waitFor(() => {
      expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Card' }))
    })
  })

  it('is kept also of what had it from the first, as the address on the first start', async () => {
    render(<Page focused />)
    expect(document.activeElement).toBe(screen.getByRole('button'))
    screen.getByRole('button').click()
    await vi.waitFor(() => {
      expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Card' }))
    })
  })

  it('comes back to a button that was disabled for a while', async () => {
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
