import { act, render, screen, within } from '@testing-library/react'
import userEvent, { type UserEvent } from '@testing-library/user-event'
import type { Bridge } from '../contract/bridge'
import type { CommandInput, CommandName, CommandResult } from '../contract/commands'
import type { AppState, ConnectionNews, InstanceSlice } from '../contract/state'
import { App } from './app'
import { emptyState } from './empty-state.testing'
import { mirrorState } from './store/app-store'
import { loadTheRest } from './ui/loaded-later'

export interface Ran {
  readonly name: CommandName
  readonly input: unknown
}

/** The window over a fake bridge: the commands it ran, and controls for what main sends. */
export interface Opened {
  readonly user: UserEvent
  readonly ran: readonly Ran[]
  readonly change: (changed: Partial<AppState>) => void
  /** Sends traffic or log lines. */
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

/** Opens the window. `answer` returns the result of a command; by default, success without a value. */
export async function openWindow(
  state: Partial<AppState> = {},
  answer: (name: CommandName) => unknown = () => ({ ok: true }),
): Promise<Opened> {
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
  await loadTheRest()
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

/** Opens a section of the settings. */
export async function visitSection(user: UserEvent, section: string): Promise<void> {
  await visit(user, 'Settings')
  const sections = within(await screen.findByRole('list', { name: 'Sections' }))
  await user.click(sections.getByRole('button', { name: section }))
}

/** Opens a view by its link in the navigation, and waits until it's shown: the address changes before the window does. */
export async function visit(user: UserEvent, view: string | RegExp): Promise<void> {
  await user.click(screen.getByRole('link', { name: view }))
  await screen.findByRole('main', { name: view })
}
