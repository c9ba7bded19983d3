import { act, cleanup, render } from '@testing-library/react'
import userEvent, { type UserEvent } from '@testing-library/user-event'
import { afterEach } from 'vitest'
import type { Bridge } from '../contract/bridge'
import type { CommandInput, CommandName, CommandResult } from '../contract/commands'
import type { AppState, ConnectionNews, InstanceSlice } from '../contract/state'
import { App } from './app'
import { emptyState } from './empty-state.testing'
import { mirrorState } from './store/app-store'

// What Mantine asks of a browser and jsdom does not have.
window.matchMedia = (media) =>
  Object.assign(new EventTarget(), { media, matches: false, onchange: null }) as MediaQueryList

// Nothing is laid out there; a list of which only what can be seen is on the page would show nothing.
for (const side of ['offsetWidth', 'offsetHeight', 'clientWidth', 'clientHeight']) {
  Object.defineProperty(HTMLElement.prototype, side, { configurable: true, value: 400 })
}

class NothingResizes implements ResizeObserver {
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
window.ResizeObserver = NothingResizes

afterEach(cleanup)

export interface Ran {
  readonly name: CommandName
  readonly input: unknown
}

/** The window over a bridge in the place of main: what it ran, and how main's state changes. */
export interface Opened {
  readonly user: UserEvent
  readonly ran: readonly Ran[]
  readonly change: (changed: Partial<AppState>) => void
  /** What main tells of the connection. */
  readonly tell: (news: ConnectionNews) => void
}

export const signedIn: InstanceSlice = {
  id: 'vpn.example.org',
  address: 'https://vpn.example.org/',
  login: 'signed-in',
  profiles: {
    status: 'loaded',
    items: [
      { profileId: 'internet', displayName: 'Internet access', defaultGateway: true },
      { profileId: 'office', displayName: 'Office', defaultGateway: false },
    ],
  },
  messages: { status: 'loaded', items: [] },
}

/** Opens the window; `answer` is what a command ends with, done with nothing unless given. */
export async function openWindow(
  state: Partial<AppState> = {},
  answer: (name: CommandName) => unknown = () => ({ ok: true }),
): Promise<Opened> {
  window.location.hash = ''
  const ran: Ran[] = []
  const listeners = new Set<(news: ConnectionNews) => void>()
  let send: (changed: Partial<AppState>) => void = () => undefined
  const bridge: Bridge = {
    run<Name extends CommandName>(name: Name, input: CommandInput<Name>) {
      ran.push({ name, input })
      return Promise.resolve(answer(name) as CommandResult<Name>)
    },
    offerFiles: () => Promise.resolve({ ok: true, value: { files: [], refused: [] } }),
    state: () => Promise.resolve({ ...emptyState, ...state }),
    onStateChanged(listener) {
      send = listener
      return () => undefined
    },
    onConnectionNews(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  const { store } = mirrorState(bridge)
  render(<App bridge={bridge} store={store} styleNonce="" />)
  await act(() => Promise.resolve())
  return {
    user: userEvent.setup(),
    ran,
    change(changed) {
      act(() => {
        send(changed)
      })
    },
    tell(news) {
      act(() => {
        for (const listener of listeners) listener(news)
      })
    },
  }
}
