import { EventEmitter } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { isFirstTime, stayInTray, type ClosingOptions } from './closing'

/** Closes a window and returns the resulting events. */
async function close(options: Partial<ClosingOptions> = {}, isBroughtBack = false): Promise<string[]> {
  const came: string[] = []
  let isVisible = true
  const window = Object.assign(new EventEmitter(), {
    hide: () => {
      isVisible = false
      came.push('hidden')
    },
    show: () => {
      isVisible = true
      came.push('shown')
    },
    isVisible: () => isVisible,
    isDestroyed: () => false,
  })
  stayInTray(window, {
    closesToTray: () => true,
    isQuitting: () => false,
    asksBeforeQuitting: () => false,
    lookForTray: () => Promise.resolve(true),
    quit: () => came.push('quit'),
    onStays: () => came.push('stays'),
    ...options,
  })
  const prevented: true[] = []
  window.emit('close', { preventDefault: () => prevented.push(true) })
  if (isBroughtBack) isVisible = true
  await Promise.resolve().then(() => undefined)
  return prevented.length > 0 ? came : ['closed', ...came]
}

it('stays in the tray when the window is closed', async () => {
  expect(await close()).toEqual(['hidden', 'stays'])
})

it('quits without a tray, unless the window was opened again meanwhile', async () => {
  const lookForTray = (): Promise<boolean> => Promise.resolve(false)
  expect(await close({ lookForTray })).toEqual(['hidden', 'quit'])
  expect(await close({ lookForTray }, true)).toEqual(['hidden'])
})

it('closes the window while quitting or if the setting is off', async () => {
  expect(await close({ isQuitting: () => true })).toEqual(['closed'])
  expect(await close({ closesToTray: () => false })).toEqual(['closed'])
})

it('keeps the window open for the question about transfers', async () => {
  const asksBeforeQuitting = (): boolean => true
  expect(await close({ asksBeforeQuitting })).toEqual(['hidden', 'stays'])
  expect(await close({ asksBeforeQuitting, closesToTray: () => false })).toEqual(['quit'])
  expect(await close({ asksBeforeQuitting, lookForTray: () => Promise.resolve(false) })).toEqual([
    'hidden',
    'shown',
    'quit',
  ])
})

it('returns true once per hint, also over restarts', async () => {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'causeway-said-'))
  onTestFinished(() => rm(dataDirectory, { recursive: true, force: true }))
  const options = { dataDirectory, now: () => new Date() }
  expect(await isFirstTime('one', options)).toBe(true)
  expect(await isFirstTime('one', options)).toBe(false)
  expect(await isFirstTime('other', options)).toBe(true)
})
