import { expect, it } from 'vitest'
import type { AppsSplit } from '../../contract/apps'
import { AppSplit, type DividedApps } from './app-split'

const slice = '/user.slice/user-1000.slice/user@1000.service/app.slice/app-causeway_outside.slice'
const firefox = { app: 'firefox', controlGroup: '/user.slice/user-1000.slice/app-gnome-firefox-1.scope' }
const steam = { app: 'steam', controlGroup: '/user.slice/user-1000.slice/app-gnome-steam-2.scope' }
const started = { app: 'curl', controlGroup: `${slice}/app-causeway-curl-3.scope` }

function split(given: Partial<DividedApps> = {}) {
  let changed = (): void => undefined
  let isClosed = false
  const apps = {
    mode: 'except' as const,
    whileBlocked: 'allow' as const,
    startedIn: slice,
    list: ['firefox', 'steam'] as readonly string[],
    running: [firefox] as readonly { app: string; controlGroup: string }[],
    onChange: (listener: () => void) => {
      changed = listener
    },
    close: () => {
      isClosed = true
    },
    ...given,
  }
  const sent: string[] = []
  const told: AppsSplit[] = []
  const tested = new AppSplit(apps)
  return {
    tested,
    sent,
    told,
    apps,
    follow: () => {
      tested.follow(
        (command) => sent.push(command),
        (each) => told.push(each),
      )
    },
    change: (to: Partial<Pick<DividedApps, 'running' | 'list'>>) => {
      Object.assign(apps, to)
      changed()
    },
    isClosed: () => isClosed,
  }
}

it('hands over what runs before the tunnel starts, and nothing again', () => {
  const { tested, sent, follow } = split()
  expect(tested.request).toEqual({
    mode: 'except',
    whileBlocked: 'allow',
    groups: [slice, firefox.controlGroup],
  })
  follow()
  expect(sent).toEqual([])
})

it('hands over what starts or ended before it follows', () => {
  const { sent, follow, apps } = split()
  apps.running = [steam]
  follow()
  expect(sent).toEqual([`app add ${steam.controlGroup}`, `app remove ${firefox.controlGroup}`])
})

it('follows apps that start and end', () => {
  const { sent, told, follow, change } = split()
  follow()
  change({ running: [firefox, steam] })
  change({ running: [steam] })
  expect(sent).toEqual([`app add ${steam.controlGroup}`, `app remove ${firefox.controlGroup}`])
  expect(told.at(-1)).toEqual({
    mode: 'except',
    outside: ['firefox', 'steam'],
    inside: [],
    running: ['steam'],
  })
})

it('leaves to the slice what was started in it, and names it', () => {
  const { tested, sent, follow, change } = split()
  follow()
  change({ running: [started] })
  expect(sent).toEqual([`app remove ${firefox.controlGroup}`])
  expect(tested.current).toMatchObject({ outside: ['firefox', 'steam', 'curl'], running: ['curl'] })
})

it('says which apps are alone in the tunnel', () => {
  const { tested } = split({ mode: 'only', whileBlocked: 'block' })
  expect(tested.request.mode).toBe('only')
  expect(tested.current).toMatchObject({ mode: 'only', outside: [], inside: ['firefox', 'steam'] })
})

it('says which app could not be moved, by the order of the answers', () => {
  const { tested, told, follow, change } = split({ running: [] })
  follow()
  change({ running: [firefox, steam] })
  tested.onAnswer('added')
  tested.onAnswer('full')
  expect(told.at(-1)).toMatchObject({ running: ['firefox'], failed: ['steam'] })
  // An answer too many is no reason to fail.
  tested.onAnswer('added')
  expect(tested.current.failed).toEqual(['steam'])
})

it('sends nothing after its end', () => {
  const { tested, sent, told, follow, change, isClosed } = split()
  follow()
  tested.close()
  const before = told.length
  change({ running: [steam] })
  expect(sent).toEqual([])
  expect(told).toHaveLength(before)
  expect(isClosed()).toBe(true)
})
