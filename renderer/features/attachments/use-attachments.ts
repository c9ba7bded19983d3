import { type QueryClient, type QueryFilters, useQueries } from '@tanstack/react-query'
import { createContext, use, useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type {
  AttachmentFilter,
  AttachmentItem,
  AttachmentPageAnswer,
  ChosenFiles,
} from '../../../contract/attachments'
import type { Bridge } from '../../../contract/bridge'
import type { CommandName } from '../../../contract/commands'
import type { ErrorReport } from '../../../contract/error-codes'
import { type Command, useBridge } from '../../store/context'
import { commandQuery, useQueryClient } from '../../store/queries'
import { windowStore } from '../../store/window-store'
import type { May } from './may'

/** A query for attachments. */
export type Question =
  | { readonly kind: 'all'; readonly filter: AttachmentFilter }
  | { readonly kind: 'video'; readonly videoId: string }

/** Texts of an attachment as typed, and what it belongs to as chosen. */
export interface Typed {
  readonly title: string
  readonly address: string
  readonly description: string
  readonly videos: readonly string[]
  readonly modules: readonly string[]
}

/** A form for something new, as long as it is open. */
interface Form {
  /** Differs for each form that was opened, also of the same kind. */
  readonly form: number
  /** Its command is running. */
  readonly pending?: boolean
  /** Why its command failed. */
  readonly error?: ErrorReport | undefined
}

let forms = 0

export function newForm(): Form {
  return { form: (forms += 1) }
}

/** A link to add, with what is typed for it. */
export interface Link extends Form {
  readonly kind: 'add-link'
  readonly typed?: Typed
}

/** Files to upload, with what is typed for them. */
export interface Upload extends Form {
  readonly kind: 'upload'
  readonly chosen: ChosenFiles
  readonly typed?: Typed
  /** The titles that were typed, by the ids of their files. */
  readonly titles?: Readonly<Record<string, string>>
}

/** The content of the details. What is typed in a form for something new stays while the user visits other views. */
type Chosen = { readonly kind: 'attachment'; readonly item: AttachmentItem } | Link | Upload

export const everything: Extract<Question, { kind: 'all' }> = {
  kind: 'all',
  filter: { userId: '', videos: [], modules: [] },
}

const noVideo: Question = { kind: 'video', videoId: '' }

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

/** What the user chose in the view, kept while they visit others. */
interface Choices {
  readonly instanceId?: string
  readonly question: Question
  readonly chosen?: Chosen | undefined
}

/** Returns the choices for an instance that was just opened. */
export function newChoices(instanceId?: string, question: Question = everything): Choices {
  return { instanceId, question, chosen: undefined }
}

export const useChoices = windowStore(
  () => createStore<Choices>(() => newChoices()),
  (store, instanceId) => {
    if (store.getState().instanceId === instanceId) store.setState(newChoices(instanceId), true)
  },
)

/** A page by its number from 1. The attachments of a video are one page. */
interface Page {
  readonly number: number
  readonly answer: AttachmentPageAnswer
  /** When it arrived, in ms since the epoch. */
  readonly at: number
}

interface List {
  readonly pages: readonly Page[]
  /** Attachments per page. */
  readonly pageSize: number
  /** Rows of all pages; undefined until the first page has arrived. */
  readonly rowCount: number | undefined
  /** Total according to the service. More than the rows if the service returns only some attachments of a video. */
  readonly totalCount: number | undefined
  readonly loading: boolean
  readonly error: ErrorReport | undefined
  /** Time of the cached answer, in ms since the epoch, if the service can't be reached. */
  readonly cachedAt: number | undefined
  /** The host that can't be reached then. */
  readonly host: string | undefined
  /** Fetches the pages that these rows need. */
  readonly fetchRows: (first: number, last: number) => void
  /** Fetches the visible pages again and keeps showing the old ones meanwhile. */
  readonly refresh: () => Promise<unknown>
}

/** The attachments that the view shows, what the user chose in it, and how to change that. */
export interface Attachments extends List {
  readonly instanceId: string
  readonly question: Question
  readonly chosen: Chosen | undefined
  readonly ask: (question: Question) => void
  readonly choose: (chosen: Chosen | undefined) => void
  /** Replaces a form, as it is by now, unless the user has gone on to something else or closed it meanwhile. */
  readonly replaceForm: <Replaced extends Link | Upload>(
    form: Replaced,
    next: (latest: Replaced) => Chosen | undefined,
  ) => void
  /** Closes the details of one of these attachments if it is no longer in the list. */
  readonly closeRemoved: (ids: readonly string[]) => void
}

/** Fetches the attachments that the user asks for; those of a video if they may not list others. */
export function useFetchedAttachments(instanceId: string, may: May): Attachments {
  const client = useQueryClient()
  const store = useChoices()
  const stored = useStore(store)
  const { question: asked, chosen } = stored.instanceId === instanceId ? stored : newChoices()
  const question = may.list || asked.kind === 'video' ? asked : noVideo
  const list = useList(instanceId, question)
  useEffect(() => {
    if (store.getState().instanceId !== instanceId) store.setState(newChoices(instanceId), true)
  }, [store, instanceId])
  return {
    ...list,
    instanceId,
    question,
    chosen: isForbidden(list.error) ? undefined : chosen,
    ask(next) {
      store.setState(newChoices(instanceId, next), true)
      // Another list is fetched when it is rendered.
      const refetchType = JSON.stringify(next) === JSON.stringify(question) ? 'active' : 'none'
      void invalidateLists(client, instanceId, refetchType)
    },
    choose(next) {
      // The user may have gone on to another instance.
      if (store.getState().instanceId === instanceId) store.setState({ chosen: next })
    },
    replaceForm<Replaced extends Link | Upload>(
      { form }: Replaced,
      next: (latest: Replaced) => Chosen | undefined,
    ) {
      const { instanceId: shown, chosen: latest } = store.getState()
      if (shown === instanceId && latest !== undefined && 'form' in latest && latest.form === form)
        store.setState({ chosen: next(latest as Replaced) })
    },
    closeRemoved(ids) {
      const { chosen: latest } = store.getState()
      if (latest?.kind !== 'attachment' || !ids.includes(latest.item.id)) return
      const isThere = listed(client, instanceId, { type: 'active' }).some(({ id }) => id === latest.item.id)
      if (!isThere) store.setState({ chosen: undefined })
    },
  }
}

/** Returns the command of a form. Its progress and error stay with the form, also while the user visits other views. */
export function useFormCommand<Name extends CommandName>(
  name: Name,
  form: Link | Upload,
): Pick<Command<Name>, 'run' | 'pending' | 'error'> {
  const bridge = useBridge()
  const { replaceForm } = useAttachments()
  return {
    pending: form.pending ?? false,
    error: form.error,
    async run(input) {
      replaceForm(form, (latest) => ({ ...latest, pending: true, error: undefined }))
      const result = await bridge.run(name, input)
      const error = result.ok ? undefined : result.error
      replaceForm(form, (latest) => ({ ...latest, pending: false, error }))
      return result
    },
  }
}

/** Page size that most services accept. */
const maxPageSize = 100

/** Fetches the pages of a list that are visible, and the first one. */
function useList(instanceId: string, question: Question): List {
  const client = useQueryClient()
  const bridge = useBridge()
  const key = JSON.stringify([instanceId, question])
  const rows = useRef({ first: 0, last: 0 })
  const [wanted, setWanted] = useState({ key, ...firstPage })
  const { visible, visited } = wanted.key === key ? wanted : firstPage

  const stateOf = (number: number, size: number) => {
    const { queryKey } = pageQuery(bridge, instanceId, question, number, size)
    return client.getQueryState<AttachmentPageAnswer | null>(queryKey)
  }
  const pageSize = pageSizeOf(question, stateOf(1, maxPageSize)?.data)
  const sizeOf = (number: number) => (number === 1 ? maxPageSize : pageSize)
  const queries = visible.map((number) => pageQuery(bridge, instanceId, question, number, sizeOf(number)))
  const results = useQueries({ queries: isEmpty(question) ? [] : queries }, client)
  const error = results.find((result) => result.error !== null)?.error.report
  const found = visited.flatMap((number): Page[] => {
    const { data: answer, dataUpdatedAt: at = 0 } = stateOf(number, sizeOf(number)) ?? {}
    return answer ? [{ number, answer, at }] : []
  })
  const isRefreshing = results.some(({ data, isFetching }) => isFetching && data !== null)
  const pages = useAtOnce(key, isForbidden(error) ? [] : found, isRefreshing)
  const cached = error ? undefined : pages.find(({ answer }) => answer.cachedAt !== undefined)?.answer

  function want(isRetry: boolean): void {
    // After a failure, the user decides when to retry.
    if (error !== undefined && !isRetry) return
    const next = question.kind === 'video' ? [1] : pagesOf(rows.current, pageSize)
    const known = [...new Set([...visited, ...next])].sort((one, other) => one - other)
    if (String([visible, visited]) !== String([next, known]))
      setWanted({ key, visible: next, visited: known })
  }
  return {
    pages,
    pageSize,
    ...countsOf(question, pages),
    loading: results.some(({ isFetching }) => isFetching),
    error,
    cachedAt: cached?.cachedAt,
    host: cached?.host,
    fetchRows(first, last) {
      rows.current = { first, last }
      want(false)
    },
    refresh() {
      want(true)
      return invalidateLists(client, instanceId, 'active')
    },
  }
}

const firstPage = { visible: [1], visited: [1] }

function pageQuery(bridge: Bridge, instanceId: string, question: Question, page: number, pageSize: number) {
  return question.kind === 'all'
    ? commandQuery(bridge, 'listAttachments', { instanceId, page, pageSize, filter: question.filter })
    : commandQuery(bridge, 'listAttachmentsOfVideo', { instanceId, videoId: question.videoId })
}

/** Returns the number of attachments per page: some services return smaller pages than requested. */
function pageSizeOf({ kind }: Question, first: AttachmentPageAnswer | null | undefined): number {
  if (!first) return maxPageSize
  const given = first.data.length + first.unreadable
  if (kind === 'video') return Math.max(1, given)
  return given > 0 && given < Math.min(maxPageSize, first.totalCount) ? given : maxPageSize
}

/** Returns the numbers of the pages with these rows, and of the first one, which says how large pages are. */
function pagesOf(
  { first, last }: { readonly first: number; readonly last: number },
  pageSize: number,
): number[] {
  const start = Math.floor(first / pageSize) + 1
  const end = Math.floor(last / pageSize) + 1
  return [...new Set([1, ...Array.from({ length: end - start + 1 }, (_, index) => start + index)])]
}

/** Returns the pages, and the former ones while they are refreshed, so that no attachment is shown twice or left out. */
function useAtOnce(key: string, pages: readonly Page[], isRefreshing: boolean): readonly Page[] {
  const [shown, setShown] = useState({ key, pages })
  const isSame =
    shown.pages.length === pages.length &&
    pages.every(({ answer }, index) => shown.pages[index]?.answer === answer)
  const isKept = shown.key === key && (isSame || (isRefreshing && pages.length > 0))
  if (!isKept) setShown({ key, pages })
  return isKept ? shown.pages : pages
}

function countsOf({ kind }: Question, pages: readonly Page[]): Pick<List, 'rowCount' | 'totalCount'> {
  const [first] = pages
  if (first === undefined) return { rowCount: undefined, totalCount: undefined }
  const { totalCount } = pages.reduce((newest, page) => (page.at > newest.at ? page : newest)).answer
  const given = first.answer.data.length + first.answer.unreadable
  return { rowCount: kind === 'all' ? totalCount : given, totalCount }
}

function isEmpty(question: Question): boolean {
  return question.kind === 'video' && question.videoId === ''
}

function isForbidden(error: ErrorReport | undefined): boolean {
  return error?.code === 'attachments/forbidden'
}

/** Returns the attachment of a row: `coming` until its page has arrived, `unreadable` if it couldn't be parsed. */
export function itemAt(
  { pages, pageSize }: Pick<List, 'pages' | 'pageSize'>,
  index: number,
): AttachmentItem | 'coming' | 'unreadable' {
  const number = Math.floor(index / pageSize) + 1
  const page = pages.find((each) => each.number === number)
  return page === undefined ? 'coming' : (page.answer.data[index % pageSize] ?? 'unreadable')
}

const lists = ['listAttachments', 'listAttachmentsOfVideo']

export function invalidateLists(
  client: QueryClient,
  instanceId: string,
  refetchType: 'active' | 'none',
): Promise<unknown> {
  return Promise.all(
    [...lists, 'showAttachment'].map((name) =>
      client.invalidateQueries({ queryKey: [name, { instanceId }], refetchType }),
    ),
  )
}

/** Returns the attachments in the lists of an instance. */
function listed(client: QueryClient, instanceId: string, filters: QueryFilters = {}): AttachmentItem[] {
  return lists
    .flatMap((name) => {
      const queryKey = [name, { instanceId }]
      return client.getQueriesData<AttachmentPageAnswer | null>({ ...filters, queryKey })
    })
    .flatMap(([, page]) => page?.data ?? [])
}

/** More would not be looked through. */
const maxSeen = 100

/** Returns the authors, videos and modules that the lists of the instance have shown so far, sorted, to choose from. */
export function useSuggestions(): Readonly<Record<'authors' | 'videos' | 'modules', readonly string[]>> {
  const { instanceId } = useAttachments()
  const shown = listed(useQueryClient(), instanceId)
  const sorted = (ids: readonly string[]) =>
    [...new Set(ids)]
      .filter((id) => id !== '')
      .sort()
      .slice(0, maxSeen)
  return {
    authors: sorted(shown.map(({ userId }) => userId)),
    videos: sorted(shown.flatMap(({ videos }) => videos)),
    modules: sorted(shown.flatMap(({ modules }) => modules)),
  }
}

export const AttachmentsContext = createContext<Attachments | undefined>(undefined)

/** Returns the attachments that the view shows. */
export function useAttachments(): Attachments {
  const attachments = use(AttachmentsContext)
  if (attachments === undefined) throw new Error('There are no attachments outside of their view.')
  return attachments
}
