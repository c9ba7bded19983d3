import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Bridge } from '../../../contract/bridge'
import type { CommandInput } from '../../../contract/commands'
import type { ErrorReport } from '../../../contract/error-codes'
import type {
  ContentList,
  EntryDetails,
  EntryItem,
  NewsCategory,
  NewsItem,
  TweetItem,
  UserItem,
} from '../../../contract/news'
import { Answer } from './answer'
import { PagedList } from './paged-list'

export const sections = ['club', 'news', 'tweets', 'search', 'account'] as const
export type Section = (typeof sections)[number]

/** An entry to show: from a list, or by the address of its page. */
export type Opened = { readonly entryId: string } | { readonly address: string }

type Choice<List extends ContentList['list']> = Omit<Extract<ContentList, { list: List }>, 'list'>

/** Who wrote an entry that a list has shown. */
export interface Person {
  readonly id: string
  readonly name: string
}

/** State of the news view. */
export interface NewsState {
  /** Chosen instance; undefined if the user hasn't chosen one. */
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
  /** The authors that were shown, by instance. */
  readonly people: Readonly<Record<string, readonly Person[]>>
  /** Why the last link couldn't be opened. */
  readonly notOpened?: ErrorReport | undefined
}

export interface FoundEntry {
  readonly entry: EntryDetails
  readonly related: readonly EntryItem[]
  /** Number of related entries that couldn't be parsed. */
  readonly unreadable: number
}

/** Size of the cache of lists and entries, which drops the least recently used one. */
const maxCached = 60

/** State of the news view and a cache of what it fetched, kept as long as the window. */
export class NewsStore {
  readonly state: StoreApi<NewsState> = createStore(() => ({
    section: 'club',
    opened: {},
    club: { type: 0, sortMode: 'mainpage' },
    news: { interval: 'popular' },
    tweets: { listId: 1, interval: 'fresh' },
    search: { q: '', typed: '' },
    people: {},
  }))
  readonly #bridge: Bridge
  readonly #kept = new Map<string, unknown>()

  constructor(bridge: Bridge) {
    this.#bridge = bridge
  }

  entries(instanceId: string, of: ContentList): PagedList<EntryItem> {
    return this.#keep(
      ['entries', instanceId, of],
      (key) =>
        new PagedList(
          async (offset) => {
            const page = await this.#bridge.run('listEntries', { instanceId, of, offset })
            if (page.ok) this.#see(instanceId, page.value.data)
            return page
          },
          { key },
        ),
    )
  }

  tweets(instanceId: string, of: NewsState['tweets']): PagedList<TweetItem> {
    return this.#keep(
      ['tweets', instanceId, of],
      (key) =>
        new PagedList((offset) => this.#bridge.run('listTweets', { instanceId, ...of, offset }), { key }),
    )
  }

  news(instanceId: string, of: NewsState['news']): PagedList<NewsItem> {
    return this.#keep(
      ['news', instanceId, of],
      (key) =>
        new PagedList(() => this.#bridge.run('listNews', { instanceId, ...of }), { inOnePage: true, key }),
    )
  }

  categories(instanceId: string): Answer<readonly NewsCategory[]> {
    return this.#keep(
      ['categories', instanceId],
      () => new Answer(() => this.#bridge.run('listNewsCategories', { instanceId })),
    )
  }

  user(instanceId: string, userId: string | undefined): Answer<UserItem> {
    const of = { userId }
    return this.#keep(
      ['user', instanceId, of],
      () => new Answer(() => this.#bridge.run('showContentUser', { instanceId, ...of })),
    )
  }

  entry(instanceId: string, opened: Opened): Answer<FoundEntry> {
    return this.#keep(['entry', instanceId, opened], () =>
      'address' in opened
        ? new Answer(() => this.#bridge.run('revealEntry', { instanceId, ...opened }))
        : new Answer(async () => {
            const found = await this.#bridge.run('showEntry', { instanceId, ...opened })
            if (!found.ok) return found
            return {
              ok: true,
              value: { ...found.value, data: { entry: found.value.data, related: [], unreadable: 0 } },
            }
          }),
    )
  }

  /** Remembers who wrote these entries. */
  #see(instanceId: string, entries: readonly EntryItem[]): void {
    const { people } = this.state.getState()
    const known = new Map((people[instanceId] ?? []).map((person) => [person.id, person]))
    for (const { author } of entries)
      if (author?.id !== undefined) known.set(author.id, { id: author.id, name: author.name || author.id })
    this.state.setState({ people: { ...people, [instanceId]: [...known.values()] } })
  }

  show(section: Section): void {
    this.state.setState({ section })
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

  #keep<Kept>(what: readonly unknown[], make: (key: string) => Kept): Kept {
    const key = JSON.stringify(what)
    const kept = (this.#kept.get(key) as Kept | undefined) ?? make(key)
    this.#kept.delete(key)
    this.#kept.set(key, kept)
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > maxCached && oldest !== undefined) this.#kept.delete(oldest)
    return kept
  }
}
