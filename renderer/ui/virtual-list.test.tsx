import { fireEvent, render, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { VirtualListInPage } from './virtual-list'

// Every element is 400 px high here (page.testing.ts), so one row fills the page.
const list = (
  <VirtualListInPage
    label="Profiles"
    count={200}
    rowHeight={400}
    rowKey={String}
    row={(index) => <button type="button">{index}</button>}
  />
)

const rows = (): (string | null)[] => screen.getAllByRole('listitem').map(({ textContent }) => textContent)

function scrollTo(index: number): void {
  const page = screen.getByRole('main')
  page.scrollTop = index * 400
  fireEvent.scroll(page)
}

describe('a list of 200 rows in the scrolling page', () => {
  it('renders only the rows near the visible part, and leaves room for the others', () => {
    render(<main>{list}</main>)
    expect(screen.getByRole('list', { name: 'Profiles' }).style.height).toBe('80000px')
    expect(rows()).toContain('0')
    expect(rows().length).toBeLessThan(20)
    scrollTo(100)
    expect(rows()).toContain('100')
    expect(rows()).not.toContain('0')
    expect(rows().length).toBeLessThan(30)
  })

  it('keeps the row with the focus, so that scrolling does not lose it', () => {
    render(<main>{list}</main>)
    const button = screen.getByRole('button', { name: '3' })
    button.focus()
    scrollTo(100)
    expect(document.activeElement).toBe(button)
    expect(rows()).toContain('100')
  })

  it('does not scroll the page when it appears', () => {
    const page = document.createElement('main')
    document.body.append(page)
    page.scrollTop = 4000
    // jsdom has none.
    page.scrollTo = (options?: ScrollToOptions | number) => {
      if (typeof options === 'object') page.scrollTop = options.top ?? 0
    }
    const { unmount } = render(list, { container: page })
    expect(page.scrollTop).toBe(4000)
    expect(rows()).toContain('10')
    unmount()
    page.remove()
  })
})
