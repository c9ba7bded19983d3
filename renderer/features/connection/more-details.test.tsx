import { act, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type {
  AppState,
  CommandName,
  ConnectionLogLine,
  ConnectionSlice,
  Traffic,
} from '../../../preload/contract'
import { emptyState } from '../../empty-state.testing'
import { openWindow, signedIn, type Opened } from '../../fake-bridge.testing'

const target = { instanceId: signedIn.id, profileId: 'internet' }
const connected: ConnectionSlice = {
  state: 'connected',
  target,
  addresses: { ipv4: '10.42.0.2', ipv6: 'fd00::2' },
  remote: { address: '192.0.2.7', port: 1194, protocol: 'udp' },
  since: Date.now(),
}

/** Main, with what it would tell of the tunnel. */
interface Main {
  traffic: Traffic
  log: ConnectionLogLine[]
  asked: CommandName[]
}

async function open(state: Partial<AppState> = {}): Promise<Opened & { readonly main: Main }> {
  const main: Main = { traffic: { at: 0, points: [] }, log: [], asked: [] }
  const opened = await openWindow({ instances: [signedIn], connection: connected, ...state }, (name) => {
    main.asked.push(name)
    if (name === 'readTraffic') return { ok: true, value: main.traffic }
    if (name === 'readConnectionLog') return { ok: true, value: main.log.splice(0) }
    return { ok: true }
  })
  return { ...opened, main }
}

const opened = { settings: { ...emptyState.settings, connectionDetails: true } }

/** Lets this time pass, and what main answers arrive. */
async function pass(milliseconds: number): Promise<void> {
  await act(() => vi.advanceTimersByTimeAsync(milliseconds))
}

function count(main: Main, name: CommandName): number {
  return main.asked.filter((asked) => asked === name).length
}

/** A click that waits for no timer. */
function press(name: string): void {
  fireEvent.click(screen.getByRole('button', { name }))
}

function see(visible: boolean): void {
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(!visible)
  act(() => {
    document.dispatchEvent(new Event('visibilitychange'))
  })
}

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

describe('the details of the connection', () => {
  it('are closed until they are asked for, and stay as they were left', async () => {
    const { user, ran, main } = await open()
    const button = screen.getByRole('button', { name: 'Details' })
    expect(button.getAttribute('aria-expanded')).toBe('false')
    expect(main.asked).toEqual([])
    await user.click(button)
    expect(button.getAttribute('aria-expanded')).toBe('true')
    expect(ran[0]).toEqual({ name: 'setSetting', input: { name: 'connectionDetails', value: 'true' } })
    await user.click(button)
    expect(ran.at(-1)).toEqual({ name: 'setSetting', input: { name: 'connectionDetails', value: 'false' } })
    expect(screen.queryByRole('region', { name: 'OpenVPN’s log' })).toBeNull()
  })

  it('are not there before the first connection', async () => {
    await open({ ...opened, connection: { state: 'idle' } })
    expect(screen.queryByRole('button', { name: 'Details' })).toBeNull()
  })

  it('say to the minute when login and certificate end', async () => {
    const ends = { at: new Date(2027, 0, 20, 9, 5).getTime(), renewableFrom: 0 }
    await open({ ...opened, instances: [{ ...signedIn, ends }] })
    expect(screen.getByText('Login and certificate end').nextElementSibling?.textContent).toMatch(
      /^Jan 20, 2027, 9:05\sAM$/,
    )
  })
})

describe('an address', () => {
  it('is copied by a click, which is said where a screen reader hears it', async () => {
    const { user, ran } = await open()
    await user.click(screen.getByRole('button', { name: 'Copy fd00::2' }))
    expect(ran).toEqual([{ name: 'copyText', input: { text: 'fd00::2' } }])
    expect(within(screen.getByRole('status')).getByText('Copied')).toBeTruthy()
  })
})

describe('the traffic', () => {
  const points = [
    { at: 9000, down: 2_000_000, up: 0 },
    { at: 10_000, down: 1_500_000, up: 20_000 },
  ]

  it('is read once a second while it can be seen, and at no other time', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    const { main } = await open(opened)
    await pass(0)
    expect(count(main, 'readTraffic')).toBe(1)
    await pass(3000)
    expect(count(main, 'readTraffic')).toBe(4)
    see(false)
    await pass(60_000)
    const hidden = count(main, 'readTraffic')
    expect(hidden).toBeLessThanOrEqual(5)
    see(true)
    await pass(0)
    expect(count(main, 'readTraffic')).toBe(hidden + 1)
    press('Details')
    await pass(60_000)
    expect(count(main, 'readTraffic')).toBe(hidden + 1)
  })

  it('is told as rates, as amounts, and as a chart that says the same in words', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    const { main } = await open(opened)
    main.traffic = { at: 10_000, totals: { received: 3_500_000, sent: 20_000 }, points }
    await pass(1000)
    const region = screen.getByRole('region', { name: 'Traffic' })
    for (const text of ['1.5 MB/s', '20.0 kB/s', '3.5 MB received', '20 kB sent'])
      expect(within(region).getByText(text), text).toBeTruthy()
    expect(
      within(region).getByRole('img', {
        name: 'In the last five minutes: download up to 2.0 MB/s, upload up to 20.0 kB/s.',
      }),
    ).toBeTruthy()
    // No rate of a moment that nobody looked at.
    main.traffic = { at: 20_000, points }
    await pass(1000)
    expect(within(region).queryByText('1.5 MB/s')).toBeNull()
  })

  it('is not spoken of where nobody counts it, nor without a tunnel', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    const { main, change } = await open(opened)
    await pass(1000)
    expect(screen.queryByRole('region', { name: 'Traffic' })).toBeNull()
    main.traffic = { at: 10_000, points }
    await pass(1000)
    expect(screen.getByRole('region', { name: 'Traffic' })).toBeTruthy()
    change({ connection: { state: 'disconnected', target } })
    expect(screen.queryByRole('region', { name: 'Traffic' })).toBeNull()
  })
})

describe('OpenVPN’s log', () => {
  const lines = (...texts: string[]): ConnectionLogLine[] =>
    texts.map((text, index) => ({ number: index + 1, at: 0, text }))

  it('comes as it is written, until it is paused', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    const { main, ran } = await open(opened)
    await pass(0)
    expect(screen.getByText('What OpenVPN says is shown here while you connect.')).toBeTruthy()
    main.log = lines('TLS: Initial packet', '<b>PUSH</b>')
    await pass(1000)
    expect(screen.getByText('<b>PUSH</b>')).toBeTruthy()
    main.log = [{ number: 3, at: 0, text: 'Initialization Sequence Completed' }]
    await pass(1000)
    expect(screen.getByText('TLS: Initial packet')).toBeTruthy()
    expect(screen.getByText('Initialization Sequence Completed')).toBeTruthy()
    await pass(1000)
    expect(ran.at(-1)).toEqual({ name: 'readConnectionLog', input: { after: 3 } })

    press('Pause')
    const before = count(main, 'readConnectionLog')
    await pass(10_000)
    expect(count(main, 'readConnectionLog')).toBe(before)
    press('Follow')
    await pass(0)
    expect(count(main, 'readConnectionLog')).toBe(before + 1)
  })

  it('is searched by words, in whatever case', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'], shouldAdvanceTime: true })
    const { main, user } = await open(opened)
    main.log = lines('VERIFY OK: depth=0', 'TUN/TAP device tun0 opened')
    await pass(1000)
    const field = screen.getByRole('textbox', { name: 'Show lines with' })
    await user.type(field, 'verify')
    expect(screen.queryByText('TUN/TAP device tun0 opened')).toBeNull()
    expect(screen.getByText('VERIFY OK: depth=0')).toBeTruthy()
    await user.type(field, ' nothing')
    expect(screen.getByText('No line holds these words.')).toBeTruthy()
  })

  it('of another process is that one’s own', async () => {
    const { main } = await open({ ...opened, heldBy: { kind: 'terminal', pid: 4711 } })
    expect(screen.queryByRole('region', { name: 'OpenVPN’s log' })).toBeNull()
    expect(main.asked).toContain('readTraffic')
    expect(main.asked).not.toContain('readConnectionLog')
  })
})
