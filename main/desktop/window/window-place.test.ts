import { EventEmitter } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { usablePlace, WindowPlace, type Area, type Place, type PlacedWindow } from './window-place'

const screen: Area = { x: 0, y: 0, width: 1920, height: 1040 }
const standard: Area = { x: 100, y: 100, width: 1000, height: 720 }
const place: Place = { x: 300, y: 200, width: 800, height: 600, maximised: false }

describe('usablePlace', () => {
  it.each([
    ['on the screen', {}, {}],
    ['on a removed screen', { x: -900 }, undefined],
    ['partly on the screen', { x: 1800 }, {}],
    ['hardly on the screen', { x: 1900 }, undefined],
    ['with its top above the screen', { y: -30 }, undefined],
    ['below the screen', { y: 1040 }, undefined],
    ['larger than the screen', { width: 5000, height: 5000 }, { width: 1920, height: 1040 }],
    ['too small to be visible', { width: 1, height: 1, x: 0 }, undefined],
    ['smaller than the minimum', { width: 200, height: 100 }, { width: 400, height: 480 }],
  ] as const)('checks and fits a place %s', (_what, given, expected) => {
    expect(usablePlace({ ...place, ...given }, [screen])).toEqual(
      expected === undefined ? undefined : { ...place, ...given, ...expected },
    )
  })

  it('considers all screens', () => {
    const left = { ...screen, x: -1920 }
    expect(usablePlace({ ...place, x: -900 }, [screen, left])).toEqual({ ...place, x: -900 })
  })
})

class FakeWindow extends EventEmitter implements PlacedWindow {
  bounds = standard
  maximised = false
  visible = false
  getNormalBounds = (): Area => this.bounds
  isMaximized = (): boolean => this.maximised
  isVisible = (): boolean => this.visible
  isDestroyed = (): boolean => false
  setBounds(area: Area): void {
    this.bounds = area
    this.emit('resize')
  }
  maximize(): void {
    this.maximised = true
  }
  show(): void {
    this.visible = true
    this.emit('show')
  }
}

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-place-'))
})

interface Started {
  readonly window: FakeWindow
  readonly windowPlace: WindowPlace
  readonly failures: unknown[]
  /** Runs all timers. */
  readonly wait: () => Promise<void>
}

async function start(): Promise<Started> {
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const waiting = new Set<() => void>()
  const failures: unknown[] = []
  const windowPlace = new WindowPlace({
    dataDirectory: folder,
    now: () => new Date('2026-01-02T03:04:05Z'),
    screens: () => [screen],
    after: (_milliseconds, then) => {
      waiting.add(then)
      return () => waiting.delete(then)
    },
    onFailed: (error) => failures.push(error),
  })
  const window = new FakeWindow()
  await windowPlace.follow(window)
  return {
    window,
    windowPlace,
    failures,
    wait: () => {
      for (const then of [...waiting]) {
        waiting.delete(then)
        then()
      }
      return windowPlace.written()
    },
  }
}

describe('the place of the window', () => {
  it('is stored in a private file and restored at the next start', async () => {
    const { window, wait } = await start()
    window.show()
    window.setBounds({ x: 300, y: 200, width: 800, height: 600 })
    await wait()
    if (process.platform !== 'win32')
      expect((await stat(join(folder, 'window.json'))).mode & 0o777).toBe(0o600)
    expect((await start()).window.bounds).toEqual({ x: 300, y: 200, width: 800, height: 600 })
  })

  it('is stored at once when the app quits', async () => {
    const { window, windowPlace } = await start()
    window.show()
    window.bounds = { ...standard, x: 9 }
    await windowPlace.written()
    expect((await start()).window.bounds.x).toBe(9)
  })

  it('is stored at once when the window closes', async () => {
    const { window, windowPlace } = await start()
    window.show()
    window.bounds = { ...standard, x: 7 }
    window.emit('close')
    await windowPlace.written()
    expect((await start()).window.bounds.x).toBe(7)
  })

  it('is restored maximised once shown, with its normal bounds', async () => {
    const first = await start()
    first.window.show()
    first.window.maximize()
    first.window.emit('maximize')
    await first.wait()
    const { window } = await start()
    expect(window.maximised).toBe(false)
    window.show()
    expect(window.maximised).toBe(true)
    expect(window.bounds).toEqual(standard)
  })

  it('is not stored if the window was never shown', async () => {
    const { window, wait } = await start()
    window.setBounds({ ...standard, x: 5 })
    await wait()
    expect(await readdir(folder)).toEqual([])
  })

  it.each([
    ['invalid JSON', '{'],
    ['wrong types', '{"version":1,"data":{"x":"0","y":{}}}'],
    ['numbers out of range', '{"version":1,"data":{"x":1e9,"y":0,"width":9e9,"height":1,"maximised":true}}'],
    ['a newer version', '{"version":2,"data":{"x":0,"y":0,"width":500,"height":500,"maximised":true}}'],
  ])('is the default if the file has %s', async (_what, text) => {
    await writeFile(join(folder, 'window.json'), text)
    const { window } = await start()
    window.show()
    expect(window.bounds).toEqual(standard)
    expect(window.maximised).toBe(false)
  })

  it('is the default if the file cannot be read, which is reported', async () => {
    await rm(folder, { recursive: true })
    await writeFile(folder, '')
    const { window, wait, failures } = await start()
    window.show()
    window.setBounds({ ...standard, x: 5 })
    await wait()
    expect(failures).not.toEqual([])
    expect(await readFile(folder, 'utf8')).toBe('')
  })
})
