import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Bridge } from '../../../contract/bridge'
import type { CommandInput } from '../../../contract/commands'
import type { ErrorReport } from '../../../contract/error-codes'
import type { ContentList } from '../../../contract/news'

export const sections = ['club', 'news', 'tweets', 'search', 'account'] as const
export type Section = (typeof sections)[number]

/** An entry to show: from a list, or by the address of its page. */
export type Opened = { readonly entryId: string } | { readonly address: string }

type Choice<List extends ContentList['list']> = Omit<Extract<ContentList, { list: List }>, 'list'>

/** State of the news view. */
export interface NewsState {
  /** Chosen instance, or the first one; undefined until the view has been opened. */
  readonly instanceId?: string | undefined
  readonly section: Section
  readonly opened: Readonly<Partial<Record<Section, Opened | undefined>>>
  readonly club: Choice<'club'>
  readonly news: Pick<CommandInput<'listNews'>, 'listId' | 'interval'>
  readonly tweets: Pick<CommandInput<'listTweets'>, 'listId' | 'interval'>
  /** The search that is shown, and the text in the search field. */
  readonly search: { readonly q: string; readonly typed: string }
  /** User whose account is shown; undefined for the current user. */
  readonly userId?: string | undefined
  /** Why the last link couldn't be opened. */
  readonly notOpened?: ErrorReport | undefined
}

const atFirst: NewsState = {
  section: 'club',
  opened: {},
  club: { type: 0, sortMode: 'mainpage' },
  news: { interval: 'popular' },
  tweets: { listId: 1, interval: 'fresh' },
  search: { q: '', typed: '' },
}

/** State of the news view, kept as long as the window. */
export class NewsStore {
  readonly state: StoreApi<NewsState> = createStore(() => atFirst)
  readonly #bridge: Bridge

  constructor(bridge: Bridge) {
    this.#bridge = bridge
  }

  show(section: Section): void {
    this.state.setState({ section })
  }

  /** Chooses a service. Entries, people and categories of another one don't exist here, or mean something else. */
  choose(instanceId: string): void {
    this.state.setState(({ news: { interval } }) => ({
      instanceId,
      opened: {},
      userId: undefined,
      news: { interval },
      notOpened: undefined,
    }))
  }

  /** Drops what was chosen and searched at a service. */
  forget(instanceId: string): void {
    if (this.state.getState().instanceId === instanceId) this.state.setState({ ...atFirst, instanceId }, true)
  }

  /** Opens an entry in a section; undefined closes it. */
  look(section: Section, opened: Opened | undefined): void {
    this.state.setState((state) => ({ section, opened: { ...state.opened, [section]: opened } }))
  }

  search(q: string): void {
    this.state.setState((state) => ({
      section: 'search',
      search: { q, typed: q },
      opened: { ...state.opened, search: undefined },
    }))
  }

  showUser(userId: string | undefined): void {
    this.state.setState((state) => ({
      section: 'account',
      userId,
      opened: { ...state.opened, account: undefined },
    }))
  }

  /** Opens a web page in the browser. */
  async openLink(url: string): Promise<void> {
    const opened = await this.#bridge.run('openContentLink', { url })
    this.state.setState({ notOpened: opened.ok ? undefined : opened.error })
  }
}
