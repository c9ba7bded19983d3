import { expect, it } from 'vitest'
import type { AppsSplit } from '../../contract/apps'
import type { AppProcess } from '../platform/apps/running-programs'
import type { AppGroup } from '../platform/apps/listed-apps'
import { maxGroups } from '../privilege/helper-client'
import { AppSplit, type DividedApps } from './app-split'

const slice = '/user.slice/user-1000.slice/user@1000.service/app.slice/app-causeway_outside.slice'
const firefox = {
  app: 'firefox',
  controlGroup: '/user.slice/user-1000.slice/app-gnome-firefox-1.scope',
  run: 'a',
}
const steam = {
  app: 'steam',
  controlGroup: '/user.slice/user-1000.slice/app-gnome-steam-2.scope',
  run: 'b',
}
const started = { app: 'curl', controlGroup: `${slice}/app-causeway-curl-3.scope`, run: 'c' }

function split(given: Partial<DividedApps> = {}) {
  let changed = (): void => undefined
  let isClosed = false
  const apps = {
    mode: 'except' as const,
    whileBlocked: 'allow' as const,
    startedIn: { controlGroup: slice, run: 's' } as DividedApps['startedIn'],
    list: ['firefox', 'steam'] as readonly string[],
    running: [firefox] as readonly AppGroup[],
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
  let full = 0
  const tested = new AppSplit(apps)
  return {
    tested,
    sent,
    told,
    apps,
    follow: () => {
      tested.follow({
        send: (command) => sent.push(command),
        tell: (each) => told.push(each),
        onFull: () => (full += 1),
      })
    },
    change: (
      to: Partial<Pick<DividedApps, 'running' | 'list' | 'startedIn' | 'processes' | 'leaving' | 'names'>>,
    ) => {
      Object.assign(apps, to)
      changed()
    },
    isClosed: () => isClosed,
    full: () => full,
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
  expect(sent).toEqual([`app remove ${firefox.controlGroup}`, `app add ${steam.controlGroup}`])
})

it('follows apps that start and end', () => {
  const { tested, sent, told, follow, change } = split()
  follow()
  change({ running: [firefox, steam] })
  change({ running: [steam] })
  expect(sent).toEqual([`app add ${steam.controlGroup}`, `app remove ${firefox.controlGroup}`])
  // Before the answer, it may still be on the side of the rest.
  expect(told.at(-1)?.running).toEqual([])
  tested.onAnswer('added')
  tested.onAnswer('removed')
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
  tested.onAnswer('removed')
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
  expect(told.at(-1)).toMatchObject({ running: ['firefox'], failed: [{ app: 'steam', why: 'full' }] })
  // An answer too many is no reason to fail.
  tested.onAnswer('added')
  expect(tested.current.failed).toEqual([{ app: 'steam', why: 'full' }])
})

it('names an app that could not be taken back, and tries it again', () => {
  const { tested, sent, follow, change } = split()
  follow()
  change({ running: [], list: ['steam'] })
  tested.onAnswer('failed')
  // Once at once.
  expect(sent).toEqual(Array.from({ length: 2 }, () => `app remove ${firefox.controlGroup}`))
  tested.onAnswer('failed')
  expect(tested.current).toEqual({
    mode: 'except',
    outside: ['steam', 'firefox'],
    inside: [],
    running: ['firefox'],
    failed: [{ app: 'firefox', why: 'failed' }],
  })
  change({ running: [steam] })
  expect(sent.slice(2)).toEqual([`app remove ${firefox.controlGroup}`, `app add ${steam.controlGroup}`])
  tested.onAnswer('none')
  tested.onAnswer('added')
  expect(tested.current).toEqual({ mode: 'except', outside: ['steam'], inside: [], running: ['steam'] })
})

it('tries an app that could not be moved again, once at once, and then with each change', () => {
  const { tested, sent, told, follow, change } = split({ running: [] })
  follow()
  change({ running: [firefox] })
  const add = `app add ${firefox.controlGroup}`
  tested.onAnswer('failed')
  tested.onAnswer('failed')
  expect(sent).toEqual([add, add])
  expect(told.at(-1)).toMatchObject({ running: [], failed: [{ app: 'firefox', why: 'failed' }] })
  change({ running: [firefox, steam] })
  expect(sent.slice(2)).toEqual([add, `app add ${steam.controlGroup}`])
  tested.onAnswer('added')
  tested.onAnswer('refused')
  expect(told.at(-1)).toMatchObject({ running: ['firefox'], failed: [{ app: 'steam', why: 'refused' }] })
  expect(sent).toHaveLength(4)
  change({ running: [firefox] })
  tested.onAnswer('none')
  expect(tested.current.failed).toBeUndefined()
})

it('asks another helper for what has no answer', () => {
  const { tested, sent, told, follow, change } = split()
  follow()
  change({ running: [firefox, steam] })
  change({ running: [steam] })
  tested.onAnswer('added')
  sent.splice(0)
  follow()
  expect(sent).toEqual([`app remove ${firefox.controlGroup}`])
  tested.onAnswer('removed')
  expect(told.at(-1)?.running).toEqual(['steam'])
})

it('moves the processes of listed apps where systemd makes no groups, and those of others back', () => {
  const group = '/causeway-apps/1000/outside'
  const [one, other] = [
    { app: 'firefox', pid: 41, run: 'a' },
    { app: 'steam', pid: 42, run: 'b' },
  ]
  const given = {
    startedIn: { controlGroup: group, run: '' },
    running: [],
    processes: [one, other] as readonly AppProcess[],
  }
  const { tested, sent, told, follow, change } = split(given)
  expect(tested.request.groups).toEqual([group])
  follow()
  expect(sent).toEqual(['app move 41 outside', 'app move 42 outside'])
  // Nothing has failed before the answers.
  expect(tested.current).toMatchObject({ running: [] })
  expect(tested.current.failed).toBeUndefined()
  tested.onAnswer('moved')
  tested.onAnswer('managed')
  expect(told.at(-1)).toMatchObject({ running: ['firefox'], failed: [{ app: 'steam', why: 'managed' }] })
  change({ processes: [{ ...one, run: 'again' }], list: ['firefox'] })
  expect(sent.slice(2)).toEqual(['app move 41 inside', 'app move 41 outside'])
  tested.onAnswer('gone')
  tested.onAnswer('moved')
  expect(told.at(-1)).toMatchObject({ outside: ['firefox'], running: ['firefox'] })
})

it('says of a process outside that it is there until it was moved back', () => {
  const one = { app: 'firefox', pid: 41, run: 'a' }
  const child = { app: 'firefox', pid: 51, run: 'c' }
  const startedIn = { controlGroup: '/causeway-apps/1000/outside', run: '' }
  const { tested, sent, told, follow, change } = split({ startedIn, running: [], processes: [one] })
  follow()
  // Taken off the list before the first answer, with what it has started meanwhile.
  change({ processes: [], leaving: [one, child], list: [] })
  expect(sent).toEqual(['app move 41 outside', 'app move 41 inside', 'app move 51 inside'])
  for (const outcome of ['moved', 'failed', 'moved'] as const) tested.onAnswer(outcome)
  expect(told.at(-1)).toMatchObject({ outside: ['firefox'], running: ['firefox'] })
  // Tried again with the next change, also by another helper.
  change({ leaving: [] })
  expect(sent.slice(3)).toEqual(['app move 41 inside'])
  follow()
  expect(sent.slice(4)).toEqual(['app move 41 inside'])
  tested.onAnswer('moved')
  expect(told.at(-1)).toMatchObject({ outside: [], running: [] })
})

it('leaves a process outside that is listed again before it was moved back', () => {
  const one = { app: 'firefox', pid: 41, run: 'a' }
  const startedIn = { controlGroup: '/causeway-apps/1000/outside', run: '' }
  const { tested, sent, told, follow, change } = split({ startedIn, running: [], processes: [one] })
  follow()
  tested.onAnswer('moved')
  change({ processes: [], list: [] })
  change({ processes: [one], list: ['firefox'] })
  expect(sent).toEqual(['app move 41 outside', 'app move 41 inside', 'app move 41 outside'])
  tested.onAnswer('moved')
  tested.onAnswer('moved')
  expect(told.at(-1)).toMatchObject({ outside: ['firefox'], running: ['firefox'] })
})

it('hands over again what was restarted, since its group is another one of the same path', () => {
  const { tested, sent, follow, change } = split()
  follow()
  change({ running: [{ ...firefox, run: 'again' }] })
  expect(sent).toEqual([`app remove ${firefox.controlGroup}`, `app add ${firefox.controlGroup}`])
  expect(tested.current.running).toEqual([])
  tested.onAnswer('removed')
  tested.onAnswer('added')
  expect(tested.current.running).toEqual(['firefox'])
  change({ startedIn: { controlGroup: slice, run: 'again' } })
  expect(sent.slice(2)).toEqual([`app remove ${slice}`, `app add ${slice}`])
})

it('says once that more run than the helper takes, and gives the room that comes', () => {
  const many = Array.from({ length: maxGroups }, (_, index) => ({
    app: `app${index}`,
    controlGroup: `/user.slice/user-1000.slice/app-${index}.scope`,
    run: '',
  }))
  const { tested, sent, full, follow, change } = split({ running: many })
  expect(tested.request.groups).toHaveLength(maxGroups)
  expect(tested.request.groups[0]).toBe(slice)
  follow()
  expect([tested.current.failed, full(), sent]).toEqual([
    [{ app: `app${maxGroups - 1}`, why: 'full' }],
    1,
    [],
  ])
  change({ running: [...many.slice(1), steam] })
  expect(sent).toEqual([
    `app remove ${many[0]?.controlGroup ?? ''}`,
    `app add ${many.at(-1)?.controlGroup ?? ''}`,
  ])
  tested.onAnswer('removed')
  tested.onAnswer('added')
  expect([tested.current.failed, full()]).toEqual([[{ app: 'steam', why: 'full' }], 1])
})

it('says that the helper is full', () => {
  const { tested, full, follow, change } = split()
  follow()
  change({ running: [firefox, steam] })
  tested.onAnswer('full')
  expect([tested.current.failed, full()]).toEqual([[{ app: 'steam', why: 'full' }], 1])
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

it("has apps outside ask the network's name servers, and asks again if that failed", () => {
  const { tested, sent, follow, change } = split({ names: ['192.0.2.53', '2001:db8::53'] })
  follow()
  expect(sent).toEqual(['app names 192.0.2.53,2001:db8::53'])
  tested.onAnswer('names')
  change({ names: [] })
  tested.onAnswer('failed')
  change({ names: [] })
  expect(sent.slice(1)).toEqual(['app names off', 'app names off'])
})

it.each([
  ['except', ['10.0.0.53']],
  ['only', undefined],
] as const)('adds what apps do to the details of the tunnel: %s', (mode, dnsOutside) => {
  const { tested } = split({ mode, running: [] })
  const details = {
    addresses: {},
    remote: { address: '192.0.2.1', port: 1194, protocol: 'udp' },
    allTraffic: false,
    dnsOutside: ['10.0.0.53'],
  } as const
  const { apps, ...others } = tested.added(details)
  expect(apps).toEqual(tested.current)
  // With only some inside, the helper leads what is asked of the tunnel's servers through it.
  expect(others).toEqual({ ...details, dnsOutside })
})
