import { useStore } from 'zustand'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type {
  AttachmentFilter,
  AttachmentItem,
  AttachmentPageAnswer,
  ChosenFiles,
} from '../../../contract/attachments'
import type { Bridge } from '../../../contract/bridge'
import type { ErrorReport } from '../../../contract/error-codes'
import { windowStore } from '../../store/window-store'

/** A query for attachments. */
export type Question =
  | { readonly kind: 'all'; readonly filter: AttachmentFilter }
  | { readonly kind: 'video'; readonly videoId: string }

/** The content of the details. */
export type Chosen =
  | { readonly kind: 'attachment'; readonly item: AttachmentItem }
  | { readonly kind: 'add-link' }
  | { readonly kind: 'upload'; readonly chosen: ChosenFiles }

type Page = Pick<AttachmentPageAnswer, 'data' | 'unreadable'>

export interface Browsing {
  readonly instanceId: string | undefined
  readonly question: Question
  /** True after the first query. */
  readonly asked: boolean
  /** Pages fetched so far, by number from 1. The attachments of a video are one page. */
  readonly pages: ReadonlyMap<number, Page>
  /** Attachments per page. */
  readonly pageSize: number
  /** Rows of all pages; undefined until the first page has arrived. */
  readonly rowCount: number | undefined
  /** Total according to the service. More than the rows if the service returns only some attachments of a video. */
  readonly totalCount: number | undefined
  readonly loading: boolean
  readonly error: ErrorReport | undefined
  /** Time of the cached answer, in ms since the epoch, if the service can't be reached. */
  readonly seenAt: number | undefined
  /** The host that can't be reached then. */
  readonly host: string | undefined
  readonly chosen: Chosen | undefined
  /** What the lists of this instance have shown so far, to choose from. */
  readonly seen: Seen
}

/** The authors, videos and modules of attachments, sorted. */
interface Seen {
  readonly authors: readonly string[]
  readonly videos: readonly string[]
  readonly modules: readonly string[]
}

const nothingSeen: Seen = { authors: [], videos: [], modules: [] }

/** More would not be looked through. */
const mostSeen = 100

function withSeen(seen: Seen, items: readonly AttachmentItem[]): Seen {
  const merged = (before: readonly string[], ids: readonly string[]): readonly string[] =>
    [...new Set([...before, ...ids])]
      .filter((id) => id !== '')
      .sort()
      .slice(0, mostSeen)
  return {
    authors: merged(
      seen.authors,
      items.map(({ userId }) => userId),
    ),
    videos: merged(
      seen.videos,
      items.flatMap(({ videos }) => videos),
    ),
    modules: merged(
      seen.modules,
      items.flatMap(({ modules }) => modules),
    ),
  }
}

export const everything: Extract<Question, { kind: 'all' }> = {
  kind: 'all',
  filter: { userId: '', videos: [], modules: [] },
}

/** Returns the query for the attachments that match these criteria. */
export function matching(criteria: Partial<AttachmentFilter>): Question {
  return { ...everything, filter: { ...everything.filter, ...criteria } }
}

/** Returns true if a query asks for all attachments of this author, without other criteria. */
export function isOfAuthor(question: Question, userId: string | undefined): boolean {
  if (question.kind === 'video' || userId === undefined) return false
  const { userId: author, videos, modules } = question.filter
  return author === userId && videos.length === 0 && modules.length === 0
}

/** Page size that most services accept. */
const maxPageSize = 100

/** Returns the attachment of a row: `coming` until its page has arrived, `unreadable` if it couldn't be parsed. */
export function itemAt(
  { pages, pageSize }: Pick<Browsing, 'pages' | 'pageSize'>,
  index: number,
): AttachmentItem | 'coming' | 'unreadable' {
  const page = pages.get(Math.floor(index / pageSize) + 1)
  return page === undefined ? 'coming' : (page.data[index % pageSize] ?? 'unreadable')
}

const nothing = {
  asked: false,
  pages: new Map(),
  pageSize: maxPageSize,
  rowCount: undefined,
  totalCount: undefined,
  loading: false,
  error: undefined,
  seenAt: undefined,
  host: undefined,
}

/** State of the attachments view. */
export class AttachmentsStore {
  readonly state: StoreApi<Browsing> = createStore(() => ({
    ...nothing,
    instanceId: undefined,
    question: everything,
    chosen: undefined,
    seen: nothingSeen,
  }))
  readonly #bridge: Bridge
  /** Number of the current query. Answers to earlier ones are ignored. */
  #query = 0
  #visible = { first: 0, last: 0 }
  readonly #underWay = new Set<number>()
  #refreshing: Promise<void> | undefined
  #refreshes = 0

  constructor(bridge: Bridge) {
    this.#bridge = bridge
  }

  /** Switches to this instance. */
  show(instanceId: string): void {
    if (instanceId === this.state.getState().instanceId) return
    this.#startOver({ instanceId, question: everything, seen: nothingSeen })
  }

  /** Makes the first query: everything, or nothing yet for a person who may not list attachments. */
  begin(mayList: boolean): void {
    const { asked, question } = this.state.getState()
    // The roles may have changed since the first query.
    if (asked && (mayList || question.kind === 'video')) return
    this.ask(mayList ? everything : { kind: 'video', videoId: '' })
  }

  ask(question: Question): void {
    this.#startOver({ question, asked: true })
    if (!isEmpty(question)) void this.#load(1)
  }

  /** Fetches the pages that these rows need. */
  fetchRows(first: number, last: number): void {
    this.#visible = { first, last }
    const { pages, error } = this.state.getState()
    // After a failure, the user decides when to retry.
    if (error !== undefined) return
    for (const page of this.#visiblePages()) {
      if (!pages.has(page) && !this.#underWay.has(page)) void this.#load(page)
    }
  }

  /** Fetches the visible pages again and keeps showing the old ones meanwhile. */
  refresh(): Promise<void> {
    this.#refreshes += 1
    this.#refreshing ??= this.#refreshUntilDone().finally(() => {
      this.#refreshing = undefined
    })
    return this.#refreshing
  }

  choose(chosen: Chosen | undefined): void {
    this.state.setState({ chosen })
  }

  /** Replaces the chosen attachment with a newer version of it. */
  renew(item: AttachmentItem): void {
    const { chosen } = this.state.getState()
    if (chosen?.kind === 'attachment' && chosen.item.id === item.id) {
      this.state.setState({ chosen: { kind: 'attachment', item } })
    }
  }

  /** Closes the details of one of these attachments if it is no longer in the list. */
  closeRemoved(ids: readonly string[]): void {
    const { chosen, pages } = this.state.getState()
    if (chosen?.kind !== 'attachment' || !ids.includes(chosen.item.id)) return
    const isThere = [...pages.values()].some(({ data }) => data.some(({ id }) => id === chosen.item.id))
    if (!isThere) this.state.setState({ chosen: undefined })
  }

  #fetchPage(page: number) {
    const { instanceId = '', question, pageSize } = this.state.getState()
    return question.kind === 'all'
      ? this.#bridge.run('listAttachments', { instanceId, page, pageSize, filter: question.filter })
      : this.#bridge.run('listAttachmentsOfVideo', { instanceId, videoId: question.videoId })
  }

  async #load(page: number): Promise<void> {
    const query = this.#query
    this.#underWay.add(page)
    this.state.setState({ loading: true })
    const result = await this.#fetchPage(page)
    if (query !== this.#query) return
    this.#underWay.delete(page)
    const { pages } = this.state.getState()
    const loading = this.#underWay.size > 0
    if (result.ok) this.#showPages(new Map(pages).set(page, result.value), result.value, { loading })
    else this.#fail(result.error, loading)
  }

  /** Shows these pages, with the counts that one of them reports. */
  #showPages(
    pages: Browsing['pages'],
    { totalCount, seenAt, host }: AttachmentPageAnswer,
    changed: Partial<Browsing>,
  ): void {
    const { question, pageSize } = this.state.getState()
    const first = pages.get(1)
    const given = first === undefined ? pageSize : first.data.length + first.unreadable
    // Some services return smaller pages than requested.
    const isShort = question.kind === 'all' && given > 0 && given < Math.min(pageSize, totalCount)
    const counts =
      question.kind === 'all'
        ? { rowCount: totalCount, pageSize: isShort ? given : pageSize }
        : { rowCount: given, pageSize: Math.max(1, given) }
    const seen = withSeen(
      this.state.getState().seen,
      [...pages.values()].flatMap(({ data }) => data),
    )
    this.state.setState({ pages, totalCount, seenAt, host, error: undefined, seen, ...counts, ...changed })
  }

  /** Keeps what is shown, unless the person may no longer see it. */
  #fail(error: ErrorReport, loading: boolean): void {
    const gone = error.code === 'attachments/forbidden' ? { ...nothing, asked: true, chosen: undefined } : {}
    this.state.setState({ ...gone, error, loading, seenAt: undefined })
  }

  #startOver(changed: Partial<Browsing>): void {
    this.#cancelPages()
    this.#visible = { first: 0, last: 0 }
    this.state.setState({ ...nothing, chosen: undefined, ...changed })
  }

  #cancelPages(): void {
    this.#query += 1
    this.#underWay.clear()
  }

  #visiblePages(): number[] {
    const { question, pageSize } = this.state.getState()
    if (question.kind === 'video') return [1]
    const first = Math.floor(this.#visible.first / pageSize) + 1
    const last = Math.floor(this.#visible.last / pageSize) + 1
    return Array.from({ length: last - first + 1 }, (_, index) => first + index)
  }

  async #refreshOnce(): Promise<void> {
    if (isEmpty(this.state.getState().question)) return
    this.#cancelPages()
    const query = this.#query
    this.state.setState({ loading: true })
    const wanted = this.#visiblePages()
    const results = await Promise.all(wanted.map((page) => this.#fetchPage(page)))
    if (query !== this.#query) return
    const pages = new Map<number, Page>()
    let last: AttachmentPageAnswer | undefined
    for (const [index, result] of results.entries()) {
      if (!result.ok) {
        this.#fail(result.error, false)
        return
      }
      pages.set(wanted[index] ?? 1, result.value)
      const { seenAt, host } = last?.seenAt === undefined ? result.value : last
      last = { ...result.value, seenAt, host }
    }
    const { chosen } = this.state.getState()
    if (last !== undefined) this.#showPages(pages, last, { loading: false, chosen: renewed(chosen, pages) })
  }

  /** Fetches again if something changed during the fetch. */
  async #refreshUntilDone(): Promise<void> {
    for (let done = 0; done < this.#refreshes;) {
      done = this.#refreshes
      await this.#refreshOnce()
    }
  }
}

function isEmpty(question: Question): boolean {
  return question.kind === 'video' && question.videoId === ''
}

/** Returns the chosen attachment as these pages have it. */
function renewed(chosen: Chosen | undefined, pages: Browsing['pages']): Chosen | undefined {
  if (chosen?.kind !== 'attachment') return chosen
  for (const { data } of pages.values()) {
    const item = data.find(({ id }) => id === chosen.item.id)
    if (item !== undefined) return { kind: 'attachment', item }
  }
  return chosen
}

const useAttachmentsStore = windowStore((bridge) => new AttachmentsStore(bridge))

export function useAttachments(): { readonly store: AttachmentsStore; readonly browsing: Browsing } {
  const store = useAttachmentsStore()
  return { store, browsing: useStore(store.state) }
}
