import { act, fireEvent, screen, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import type { AppState, ConnectionLogLine } from '../../../contract/state'
import type { ConnectionState } from '../../../contract/connection'
import { emptyState } from '../../empty-state.testing'
import { openWindow, signedIn, type Opened } from '../../fake-bridge.testing'

const target = { instanceId: signedIn.id, profileId: 'internet' }
const dns = { servers: ['10.0.0.53'], domains: [], applied: true }
const connected: ConnectionState = {
  state: 'connected',
  target,
  addresses: { ipv4: '10.42.0.2', ipv6: 'fd00::2' },
  remote: { address: '192.0.2.7', port: 1194, protocol: 'udp' },
  since: Date.now(),
}

const opened = { settings: { ...emptyState.settings, connectionDetails: true } }

function open(state: Partial<AppState> = {}): Promise<Opened> {
  return openWindow({ instances: [signedIn], connection: connected, ...state })
}

/** Returns the last input of this command; undefined if it didn't run. */
function watched({ ran }: Opened, name: 'watchTraffic' | 'watchConnectionLog'): unknown {
  return ran.findLast((each) => each.name === name)?.input
}

function press(name: string): void {
  fireEvent.click(screen.getByRole('button', { name }))
}

function see(visible: boolean): void {
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(!visible)
  act(() => {
    document.dispatchEvent(new Event('visibilitychange'))
  })
}

describe('the details of the connection', () => {
  it('are closed until they are opened, and stay as they were left', async () => {
    const { user, ran, change } = await open()
    const button = screen.getByRole('button', { name: 'Details' })
    const set = () => ran.findLast(({ name }) => name === 'setSetting')?.input
    expect(button.getAttribute('aria-expanded')).toBe('false')
    expect(screen.queryByRole('region', { name: 'Details' })).toBeNull()
    await user.click(button)
    expect(set()).toEqual({ name: 'connectionDetails', value: 'true' })
    change(opened)
    expect(button.getAttribute('aria-expanded')).toBe('true')
    expect(screen.getByRole('region', { name: 'Details' }).id).toBe(button.getAttribute('aria-controls'))
    await user.click(button)
    expect(set()).toEqual({ name: 'connectionDetails', value: 'false' })
    change({ settings: emptyState.settings })
    expect(screen.queryByRole('region', { name: 'VPN log' })).toBeNull()
  })

  it('are hidden before the first connection', async () => {
    await open({ ...opened, connection: { state: 'idle' } })
    expect(screen.queryByRole('button', { name: 'Details' })).toBeNull()
  })

  it('show to the minute when login and certificate expire', async () => {
    const ends = { at: new Date(2027, 0, 20, 9, 5).getTime(), renewableFrom: 0 }
    await open({ ...opened, instances: [{ ...signedIn, ends }] })
    expect(screen.getByText('Access ends').nextElementSibling?.textContent).toMatch(
      /^Jan 20, 2027, 9:05\sAM$/,
    )
  })
})

it('leaves out facts that are not known', async () => {
  const facts = { protocol: 'wireguard', handshakeAt: 0, cipher: 'AES-256-GCM', dns } as const
  const { change } = await open({ ...opened, connection: { ...connected, ...facts } })
  const names = () => screen.getAllByRole('term').map(({ textContent }) => textContent)
  expect(names()).toEqual([
    'Address',
    'IPv6 address',
    'Server',
    'Protocol',
    'Last handshake',
    'Cipher',
    'DNS servers',
  ])
  change({ connection: { ...connected, addresses: {} } })
  expect(names()).toEqual(['Server'])
})

describe('an address', () => {
  it('says for three seconds that it was copied, and not where it could not be', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    let ok = true
    const window = await openWindow({ ...opened, instances: [signedIn], connection: connected }, () => ({
      ok,
    }))
    const copy = async (): Promise<void> => {
      press('Copy fd00::2')
      await act(() => Promise.resolve())
    }
    const pass = (milliseconds: number): void => {
      act(() => {
        vi.advanceTimersByTime(milliseconds)
      })
    }
    const icon = () =>
      screen.getByRole('button', { name: 'Copy fd00::2' }).querySelector('svg')?.classList.value
    const before = icon()
    await copy()
    expect(icon()).not.toBe(before)
    pass(2999)
    expect(screen.getByText('Copied')).toBeTruthy()
    pass(1)
    expect(screen.queryByText('Copied')).toBeNull()
    expect(icon()).toBe(before)
    await copy()
    const timers = vi.getTimerCount()
    window.change({ settings: emptyState.settings })
    expect(vi.getTimerCount(), 'its timer goes with it').toBe(timers - 1)
    window.change(opened)
    ok = false
    await copy()
    expect(screen.queryByText('Copied')).toBeNull()
  })

  it('is copied by a click, which a live region announces', async () => {
    const { user, ran } = await open(opened)
    await user.click(screen.getByRole('button', { name: 'Copy fd00::2' }))
    expect(ran.at(-1)).toEqual({ name: 'copyText', input: { text: 'fd00::2' } })
    expect(screen.getByText('Copied').closest('[role=status], [aria-live=polite]')).not.toBeNull()
  })
})

describe('the traffic', () => {
  const points = [
    { at: 9000, down: 2_000_000, up: 0 },
    { at: 10_000, down: 1_500_000, up: 20_000 },
  ]

  it('is watched only while it is visible', async () => {
    const window = await open(opened)
    const watches = () => window.ran.filter(({ name }) => name === 'watchTraffic')
    expect(watched(window, 'watchTraffic')).toEqual({ wanted: true })
    see(false)
    expect(watched(window, 'watchTraffic')).toEqual({ wanted: false })
    window.tell({ traffic: { at: 10_000, points } })
    expect(screen.queryByRole('region', { name: 'Traffic' }), 'what is still on its way').toBeNull()
    see(true)
    expect(watched(window, 'watchTraffic')).toEqual({ wanted: true })
    expect(watches(), 'header and details watch together').toHaveLength(3)
    window.change({ connection: { state: 'disconnected', target } })
    expect(watched(window, 'watchTraffic')).toEqual({ wanted: false })
    const before = watches().length
    see(false)
    see(true)
    expect(watches()).toHaveLength(before)
  })

  it('is shown as rates in the header too, while the details are closed', async () => {
    const { tell, ran } = await open({ connection: { ...connected, allTraffic: true, dns } })
    expect(ran).toContainEqual({ name: 'watchTraffic', input: { wanted: true } })
    tell({ traffic: { at: 10_000, totals: { received: 3_500_000, sent: 20_000 }, points } })
    const header = within(screen.getByRole('region', { name: 'Connection' }))
    expect(header.getByRole('img', { name: 'Download: 1.5 MB/s' })).toBeTruthy()
    expect(header.getByRole('img', { name: 'Upload: 20 kB/s' })).toBeTruthy()
    expect(screen.getByRole('timer').parentElement?.textContent).toMatch(/↓ 1\.5\sMB\/s↑ 20\skB\/s$/)
    tell({ traffic: { at: 20_000, points } })
    expect(header.getByRole('img', { name: 'Download: –' }), 'its place stays').toBeTruthy()
  })

  it('is shown as rates, as amounts, and as a chart with a text alternative', async () => {
    const { tell } = await open(opened)
    tell({ traffic: { at: 10_000, totals: { received: 3_500_000, sent: 20_000 }, points } })
    const region = screen.getByRole('region', { name: 'Traffic' })
    for (const text of ['1.5 MB/s', '20 kB/s', '3.5 MB received', '20 kB sent'])
      expect(within(region).getByText(text), text).toBeTruthy()
    expect(
      within(region).getByRole('img', {
        name: 'In the last five minutes: download up to 2.0 MB/s, upload up to 20 kB/s.',
      }),
    ).toBeTruthy()
    const of = (line: string) => within(region).getByText(line).parentElement
    const sample = (line: string) => of(line)?.querySelector('svg path')?.getAttribute('class') ?? ''
    expect(of('Download')?.textContent).toBe('Download1.5 MB/s3.5 MB received')
    expect(of('Upload')?.textContent).toBe('Upload20 kB/s20 kB sent')
    const paths = within(region)
      .getByRole('img')
      .querySelectorAll(`path[class="${sample('Download')}"]`)
    expect(paths[0]?.getAttribute('d')).toContain('M295 0L')
    expect(sample('Upload')).not.toBe(sample('Download'))
    // There is no rate for a moment without samples on both sides.
    tell({ traffic: { at: 20_000, points } })
    expect(within(region).queryByText('1.5 MB/s')).toBeNull()
  })

  it('of the minutes that are shown is in the text alternative, and no other', async () => {
    const { tell } = await open(opened)
    const at = 400_000
    const older = [at - 300_001, at - 300_000, at, at + 1].map((time, index) => ({
      at: time,
      down: 10 ** (9 - index),
      up: 10 ** (5 + index),
    }))
    tell({ traffic: { at, points: older } })
    expect(
      screen.getByRole('img', {
        name: 'In the last five minutes: download up to 100 MB/s, upload up to 10 MB/s.',
      }),
    ).toBeTruthy()
  })

  it('is hidden without a counter and without a tunnel', async () => {
    const window = await open(opened)
    window.tell({ traffic: { at: 0, points: [] } })
    expect(screen.queryByRole('region', { name: 'Traffic' })).toBeNull()
    window.tell({ traffic: { at: 10_000, points } })
    expect(screen.getByRole('region', { name: 'Traffic' })).toBeTruthy()
    const lost = { state: 'reconnecting', target, reason: 'other', attempt: 1, routes: 'kept' } as const
    window.change({ connection: lost })
    expect(screen.getByRole('region', { name: 'Traffic' })).toBeTruthy()
    window.change({ connection: { state: 'disconnected', target } })
    expect(screen.queryByRole('region', { name: 'Traffic' })).toBeNull()
    expect(watched(window, 'watchTraffic')).toEqual({ wanted: false })
  })
})

describe('VPN log', () => {
  const lines = (...texts: string[]): ConnectionLogLine[] =>
    texts.map((text, index) => ({ number: index + 1, at: 0, text }))

  it('shows new lines until it is paused', async () => {
    const window = await open(opened)
    const log = within(screen.getByRole('region', { name: 'VPN log' }))
    expect(log.getByText("The VPN program's messages appear here while you connect.")).toBeTruthy()
    expect(log.queryByRole('textbox'), 'there is nothing to filter').toBeNull()
    expect(log.queryByRole('button', { name: 'Pause' }), 'or to pause').toBeNull()
    expect(watched(window, 'watchConnectionLog')).toEqual({ after: 0 })
    window.tell({ log: lines('TLS: Initial packet', '<b>PUSH</b>') })
    expect(screen.getByText('<b>PUSH</b>')).toBeTruthy()
    window.tell({ log: [{ number: 3, at: 0, text: 'Initialization Sequence Completed' }] })
    expect(screen.getByText('TLS: Initial packet')).toBeTruthy()
    expect(screen.getByText('Initialization Sequence Completed')).toBeTruthy()

    press('Pause')
    expect(watched(window, 'watchConnectionLog')).toEqual({})
    window.tell({ log: [{ number: 4, at: 0, text: 'was on its way' }] })
    expect(screen.queryByText('was on its way')).toBeNull()
    press('Follow')
    expect(watched(window, 'watchConnectionLog')).toEqual({ after: 3 })
  })

  it('shows a line once that is sent twice', async () => {
    const { tell } = await open(opened)
    tell({ log: lines('first', 'second') })
    tell({ log: lines('first', 'second', 'third') })
    const log = within(screen.getByRole('region', { name: 'VPN log' }))
    expect(log.getAllByRole('listitem')).toHaveLength(3)
  })

  it('is filtered by words, ignoring case', async () => {
    const { tell, user } = await open(opened)
    tell({ log: lines('VERIFY OK: depth=0', 'TUN/TAP device tun0 opened') })
    const field = screen.getByRole('textbox', { name: 'Filter lines' })
    await user.type(field, 'verify')
    expect(screen.queryByText('TUN/TAP device tun0 opened')).toBeNull()
    expect(screen.getByText('VERIFY OK: depth=0')).toBeTruthy()
    await user.type(field, ' nothing')
    expect(screen.getByText('No matching lines.')).toBeTruthy()
  })

  it.each([
    ['a wheel turned back', true, (log: Element) => fireEvent.wheel(log, { deltaY: -1 })],
    ['a wheel turned on', false, (log: Element) => fireEvent.wheel(log, { deltaY: 1 })],
    ['a wheel turned sideways', false, (log: Element) => fireEvent.wheel(log, { deltaX: 1, deltaY: 0 })],
    ['a click, as to select text', true, (log: Element) => fireEvent.pointerDown(log)],
    ['Page Up', true, (log: Element) => fireEvent.keyDown(log, { key: 'PageUp' })],
    ['Page Down', false, (log: Element) => fireEvent.keyDown(log, { key: 'PageDown' })],
  ] as const)('is left where it is by %s: %s', async (_what, isPaused, move) => {
    const window = await open(opened)
    window.tell({ log: lines('first', 'second') })
    move(screen.getByRole('list', { name: 'VPN log' }))
    expect(screen.getByRole('button', { name: isPaused ? 'Follow' : 'Pause' })).toBeTruthy()
    expect(watched(window, 'watchConnectionLog')).toEqual(isPaused ? {} : { after: 0 })
  })

  it('is not watched while the window is hidden', async () => {
    const window = await open(opened)
    window.tell({ log: lines('first') })
    see(false)
    expect(watched(window, 'watchConnectionLog')).toEqual({})
    see(true)
    expect(watched(window, 'watchConnectionLog')).toEqual({ after: 1 })
  })

  it("is hidden for another process's connection", async () => {
    const window = await open({ ...opened, heldBy: { kind: 'terminal', pid: 4711 } })
    expect(screen.queryByRole('region', { name: 'VPN log' })).toBeNull()
    expect(watched(window, 'watchTraffic')).toEqual({ wanted: true })
    expect(watched(window, 'watchConnectionLog')).toBeUndefined()
  })
})
