import { notifyManager } from '@tanstack/react-query'
import { cleanup, configure } from '@testing-library/react'
import { afterEach, vi } from 'vitest'
import { makeStylesCheap } from './page-styles.testing'

/** Adds what Mantine uses and jsdom lacks, and leaves the page empty after each test. */

// A slow machine must not fail a test.
configure({ asyncUtilTimeout: 15_000 })

// What was fetched is shown without a timer, whose turn a test couldn't wait for.
notifyManager.setScheduler(queueMicrotask)

makeStylesCheap()

window.matchMedia = (media) =>
  Object.assign(new EventTarget(), { media, matches: false, onchange: null }) as MediaQueryList

Element.prototype.scrollIntoView = () => undefined

// jsdom has no layout. Without a size, a virtual list would render no rows.
for (const side of ['offsetWidth', 'offsetHeight', 'clientWidth', 'clientHeight']) {
  Object.defineProperty(HTMLElement.prototype, side, { configurable: true, value: 400 })
}

// jsdom opens no modal dialogs.
HTMLDialogElement.prototype.showModal = function showModal() {
  this.open = true
  this.querySelector<HTMLElement>('input, button')?.focus()
  this.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') this.close()
  })
}
HTMLDialogElement.prototype.close = function close() {
  if (!this.open) return
  this.open = false
  this.dispatchEvent(new Event('close'))
}

class InertResizeObserver implements ResizeObserver {
  observe(): void {
    return
  }
  unobserve(): void {
    return
  }
  disconnect(): void {
    return
  }
}
window.ResizeObserver = InertResizeObserver

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.useRealTimers()
  window.location.hash = ''
})
