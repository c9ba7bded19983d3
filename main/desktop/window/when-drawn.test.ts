import { EventEmitter } from 'node:events'
import { expect, it } from 'vitest'
import { mayBeWayland, whenDrawn, type DisplayOptions } from './when-drawn'

const x11: DisplayOptions = { platform: 'linux', env: { DISPLAY: ':0' }, ozonePlatform: '' }
const wayland: DisplayOptions = { ...x11, env: { DISPLAY: ':0', WAYLAND_DISPLAY: 'wayland-0' } }

/** Returns whether a window is ready after these events. */
async function isReady(display: DisplayOptions, ...events: readonly string[]): Promise<boolean> {
  const webContents = new EventEmitter()
  const window = Object.assign(new EventEmitter(), { webContents })
  let ready = false
  void whenDrawn(window, display).then(() => {
    ready = true
  })
  for (const event of events) (event === 'ready-to-show' ? window : webContents).emit(event)
  await new Promise(setImmediate)
  return ready
}

it('shows a window of Wayland that is loaded, but never drawn while it is hidden', async () => {
  expect(await isReady(wayland)).toBe(false)
  expect(await isReady(wayland, 'did-stop-loading')).toBe(true)
  expect(await isReady(wayland, 'ready-to-show')).toBe(true)
})

it('waits elsewhere until the window is drawn', async () => {
  expect(await isReady(x11, 'did-stop-loading')).toBe(false)
  expect(await isReady(x11, 'did-stop-loading', 'ready-to-show')).toBe(true)
})

it.each([
  [x11, false],
  [wayland, true],
  [{ ...wayland, ozonePlatform: 'x11' }, false],
  [{ ...wayland, ozonePlatform: 'auto' }, true],
  [{ ...x11, ozonePlatform: 'wayland' }, true],
  [{ ...x11, env: { WAYLAND_DISPLAY: '' } }, false],
  [{ ...wayland, platform: 'darwin' }, false],
] as const)('tells from %o whether the window may be one of Wayland', (display, expected) => {
  expect(mayBeWayland(display)).toBe(expected)
})
