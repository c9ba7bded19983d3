import { createStore, type StoreApi } from 'zustand/vanilla'
import type {
  AttachmentFilter,
  AttachmentItem,
  AttachmentPageAnswer,
  ChosenFiles,
} from '../../../contract/attachments'
import type { Bridge } from '../../../contract/bridge'
import type { ErrorReport } from '../../../contract/error-codes'

/** Which attachments are asked for. */
export type Question =
  | { readonly kind: 'all'; readonly filter: AttachmentFilter }
  | { readonly kind: 'video'; readonly videoId: string }

/** What stands beside the list, or over it. */
export type Chosen =
  | { readonly kind: 'attachment'; readonly item: AttachmentItem }
  | { readonly kind: 'add-link' }
  | { readonly kind: 'upload'; readonly chosen: ChosenFiles }

type Page = Pick<AttachmentPageAnswer, 'data' | 'unreadable'>

export interface Browsing {
  readonly instanceId: string | undefined
  readonly question: Question
  /** False until the first question was put. */
  readonly asked: boolean
  /** By number, from 1; those that were looked at. Of one video there is one page, of all that the service gives. */
  readonly pages: ReadonlyMap<number, Page>
  /** How many the service puts on a page. */
  readonly pageSize: number
  /** How many rows there are on all pages; unknown until the first has come. */
  readonly rowCount: number | undefined
  /** As the service counts; more than the rows where it does not give all of a video. */
  readonly totalCount: number | undefined
  readonly loading: boolean
  readonly error: ErrorReport | undefined
  /** When the service last said so, where it cannot be reached; ms since the epoch. */
  readonly seenAt: number | undefined
  readonly chosen: Chosen | undefined
}

/** What the view of the attachments looks at. It stays when the person goes to another view and comes back. */
export interface AttachmentsStore {
  readonly state: StoreApi<Browsing>
  /** How far the list is scrolled, in CSS pixels; no state, since nothing is drawn by it. */
  readonly place: number
  /** Turns to this instance, where another one was looked at. */
  show(instanceId: string): void
  /** Puts the first question, unless there was one: all, or where the person may not list them, nothing yet. */
  begin(mayList: boolean): void
  ask(question: Question): void
  /** Fetches what is missing between these two rows. */
  see(first: number, last: number): void
  /** Fetches anew what is looked at; what is shown stays meanwhile. */
  refresh(): Promise<void>
  choose(chosen: Chosen | undefined): void
  /** Shows the chosen attachment as it is now. */
  renew(item: AttachmentItem): void
  /** Looks no longer at one of these attachments, where it is not in the list any more. */
  left(ids: readonly string[]): void
  scrolledTo(place: number): void
}

export const everything: Extract<Question, { kind: 'all' }> = {
  kind: 'all',
  filter: { userId: '', videos: [], modules: [] },
}

/** As many as most services give at a time. */
const mostOnPage = 100

/** The attachment in this row; one without is `coming` until its page has come, and cannot be read then. */
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
  pageSize: mostOnPage,
  rowCount: undefined,
  totalCount: undefined,
  loading: false,
  error: undefined,
  seenAt: undefined,
}

export function createAttachmentsStore(bridge: Bridge): AttachmentsStore {
  const state = createStore<Browsing>(() => ({
    ...nothing,
    instanceId: undefined,
    question: everything,
    chosen: undefined,
  }))
  /** Counts the questions: an answer to an earlier one is of no use any more. */
  let turn = 0
  let place = 0
  let seen = { first: 0, last: 0 }
  const underWay = new Set<number>()
  let refreshing: Promise<void> | undefined
  let refreshes = 0

  function fetchPage(page: number) {
    const { instanceId = '', question, pageSize } = state.getState()
    return question.kind === 'all'
      ? bridge.run('listAttachments', { instanceId, page, pageSize, filter: question.filter })
      : bridge.run('listAttachmentsOfVideo', { instanceId, videoId: question.videoId })
  }

  async function load(page: number): Promise<void> {
    const asked = turn
    underWay.add(page)
    state.setState({ loading: true })
    const result = await fetchPage(page)
    if (asked !== turn) return
    underWay.delete(page)
    const { pages } = state.getState()
    const loading = underWay.size > 0
    if (result.ok) show(new Map(pages).set(page, result.value), result.value, { loading })
    else fail(result.error, loading)
  }

  /** Shows these pages, with what one of them says of all. */
  function show(
    pages: Browsing['pages'],
    { totalCount, seenAt }: AttachmentPageAnswer,
    changed: Partial<Browsing>,
  ): void {
    const { question, pageSize } = state.getState()
    const first = pages.get(1)
    const given = first === undefined ? pageSize : first.data.length + first.unreadable
    // Some put fewer on a page than they are asked for.
    const isShort = question.kind === 'all' && given > 0 && given < Math.min(pageSize, totalCount)
    const counts =
      question.kind === 'all'
        ? { rowCount: totalCount, pageSize: isShort ? given : pageSize }
        : { rowCount: given, pageSize: Math.max(1, given) }
    state.setState({ pages, totalCount, seenAt, error: undefined, ...counts, ...changed })
  }

  /** What was shown stays, but for what the person may not see any more. */
  function fail(error: ErrorReport, loading: boolean): void {
    const gone = error.code === 'attachments/forbidden' ? { ...nothing, asked: true, chosen: undefined } : {}
    state.setState({ ...gone, error, loading, seenAt: undefined })
  }

  function startOver(changed: Partial<Browsing>): void {
    turn += 1
    underWay.clear()
    place = 0
    seen = { first: 0, last: 0 }
    state.setState({ ...nothing, chosen: undefined, ...changed })
  }

  function ask(question: Question): void {
    startOver({ question, asked: true })
    if (!isEmpty(question)) void load(1)
  }

  function pagesSeen(): number[] {
    const { question, pageSize } = state.getState()
    if (question.kind === 'video') return [1]
    const first = Math.floor(seen.first / pageSize) + 1
    const last = Math.floor(seen.last / pageSize) + 1
    return Array.from({ length: last - first + 1 }, (_, index) => first + index)
  }

  async function refreshOnce(): Promise<void> {
    if (isEmpty(state.getState().question)) return
    turn += 1
    underWay.clear()
    const asked = turn
    state.setState({ loading: true })
    const wanted = pagesSeen()
    const results = await Promise.all(wanted.map(fetchPage))
    if (asked !== turn) return
    const pages = new Map<number, Page>()
    let last: AttachmentPageAnswer | undefined
    for (const [index, result] of results.entries()) {
      if (!result.ok) {
        fail(result.error, false)
        return
      }
      pages.set(wanted[index] ?? 1, result.value)
      const seenAt = last?.seenAt ?? result.value.seenAt
      last = { ...result.value, ...(seenAt === undefined ? {} : { seenAt }) }
    }
    const { chosen } = state.getState()
    if (last !== undefined) show(pages, last, { loading: false, chosen: renewed(chosen, pages) })
  }

  /** Whatever changes while it is fetched has it fetched once more. */
  async function refreshUntilDone(): Promise<void> {
    for (let done = 0; done < refreshes;) {
      done = refreshes
      await refreshOnce()
    }
  }

  return {
    state,
    get place() {
      return place
    },
    show(instanceId) {
      if (instanceId === state.getState().instanceId) return
      startOver({ instanceId, question: everything })
    },
    begin(mayList) {
      const { asked, question } = state.getState()
      // Roles may have changed since.
      if (asked && (mayList || question.kind === 'video')) return
      ask(mayList ? everything : { kind: 'video', videoId: '' })
    },
    ask,
    see(first, last) {
      seen = { first, last }
      const { pages, error } = state.getState()
      // Where one failed, the person says when to try again.
      if (error !== undefined) return
      for (const page of pagesSeen()) if (!pages.has(page) && !underWay.has(page)) void load(page)
    },
    refresh() {
      refreshes += 1
      refreshing ??= refreshUntilDone().finally(() => {
        refreshing = undefined
      })
      return refreshing
    },
    choose(chosen) {
      state.setState({ chosen })
    },
    renew(item) {
      const { chosen } = state.getState()
      if (chosen?.kind === 'attachment' && chosen.item.id === item.id) {
        state.setState({ chosen: { kind: 'attachment', item } })
      }
    },
    left(ids) {
      const { chosen, pages } = state.getState()
      if (chosen?.kind !== 'attachment' || !ids.includes(chosen.item.id)) return
      const isThere = [...pages.values()].some(({ data }) => data.some(({ id }) => id === chosen.item.id))
      if (!isThere) state.setState({ chosen: undefined })
    },
    scrolledTo(to) {
      place = to
    },
  }
}

function isEmpty(question: Question): boolean {
  return question.kind === 'video' && question.videoId === ''
}

/** What is chosen, as it is in these pages. */
function renewed(chosen: Chosen | undefined, pages: Browsing['pages']): Chosen | undefined {
  if (chosen?.kind !== 'attachment') return chosen
  for (const { data } of pages.values()) {
    const item = data.find(({ id }) => id === chosen.item.id)
    if (item !== undefined) return { kind: 'attachment', item }
  }
  return chosen
}
