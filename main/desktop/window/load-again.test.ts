import { EventEmitter } from 'node:events'
import { expect, it, vi } from 'vitest'
import { loadAgainAfterCrash } from './load-again'

it('loads a crashed page again, also one that crashed while it was loaded for the first time, but not for ever', () => {
  const reload = vi.fn()
  const contents = Object.assign(new EventEmitter(), { reload })
  loadAgainAfterCrash(contents as unknown as Parameters<typeof loadAgainAfterCrash>[0])
  contents.emit('render-process-gone')
  expect(reload).toHaveBeenCalledTimes(1)
  contents.emit('did-finish-load')
  for (let crash = 1; crash <= 5; crash += 1) contents.emit('render-process-gone')
  expect(reload).toHaveBeenCalledTimes(3)
  contents.emit('did-finish-load')
  contents.emit('render-process-gone')
  expect(reload).toHaveBeenCalledTimes(4)
})
