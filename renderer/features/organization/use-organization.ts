import { createContext, use, useEffect } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { ErrorReport } from '../../../contract/error-codes'
import type {
  OrganizationItem,
  OrganizationPlace,
  OrganizationUserItem,
  WhichOrganization,
} from '../../../contract/organizations'
import { useFetched, useQueryClient } from '../../store/queries'
import { windowStore } from '../../store/window-store'

/** The panel beside the users, or over them in a narrow window. */
export type Chosen =
  | { readonly kind: 'user'; readonly userId: string }
  | { readonly kind: 'about' | 'edit' | 'delete' | 'add-user' | 'create' | 'other' | 'credentials' }

/** Panels that need no organization. */
const withoutOrganization: readonly (Chosen['kind'] | undefined)[] = ['create', 'other', 'credentials']

/** What the user chose in the view, kept while they visit others. */
interface Choices {
  readonly instanceId?: string
  readonly which: WhichOrganization
  readonly search: string
  readonly chosen?: Chosen | undefined
  /** A sentence about the last action. */
  readonly notice?: string | undefined
}

export const noChoices: Choices = { which: { by: 'current' }, search: '' }

export const useChoices = windowStore(
  () => createStore<Choices>(() => noChoices),
  (store, instanceId) => {
    if (store.getState().instanceId === instanceId) store.setState({ ...noChoices, instanceId }, true)
  },
)

export interface Failure {
  readonly error: ErrorReport
  /** In ms since the epoch. */
  readonly at: number
}

/** An organization, what the user chose in its view, and how to change that. */
export interface Organization extends Choices {
  readonly instanceId: string
  readonly organization: OrganizationItem | undefined
  readonly users: readonly OrganizationUserItem[] | undefined
  /** Number of records in the user list that couldn't be parsed. */
  readonly unreadable: number
  readonly loading: boolean
  readonly failure: Failure | undefined
  /** Why the users couldn't be fetched although the organization was. */
  readonly usersFailure: Failure | undefined
  /** Time of the cached answer, in ms since the epoch, if the service can't be reached. */
  readonly cachedAt: number | undefined
  /** Host that couldn't be reached. */
  readonly host: string | undefined
  readonly show: (which: WhichOrganization, notice?: string) => void
  readonly choose: (chosen: Chosen | undefined, notice?: string) => void
  readonly setNotice: (notice: string | undefined) => void
  readonly setSearch: (search: string) => void
  /** Fetches again and keeps showing the old data meanwhile. */
  readonly refresh: () => Promise<unknown>
}

/** Fetches what the user chose of an instance. */
export function useFetchedOrganization(instanceId: string): Organization {
  const client = useQueryClient()
  const store = useChoices()
  const stored = useStore(store)
  const choices = stored.instanceId === instanceId ? stored : noChoices
  const { which } = choices
  useEffect(() => {
    if (store.getState().instanceId !== instanceId) store.setState({ ...noChoices, instanceId }, true)
  }, [store, instanceId])
  const organization = useFetched('showOrganization', { instanceId, which })
  const { data: found } = organization
  const place = found === null ? 'current' : placeOf(which, found.data)
  const users = useFetched('listOrganizationUsers', { instanceId, place }, { enabled: found !== null })
  const { data: listed } = users

  /** Does nothing if the user has gone on to another instance or organization, such as while a command ran. */
  function change(changed: Partial<Choices>): void {
    const shown = store.getState()
    if (shown.instanceId === instanceId && JSON.stringify(shown.which) === JSON.stringify(which))
      store.setState(changed)
  }
  function invalidate(refetchType: 'active' | 'none'): Promise<unknown> {
    const names = ['showOrganization', 'listOrganizationUsers']
    return Promise.all(
      names.map((name) => client.invalidateQueries({ queryKey: [name, { instanceId }], refetchType })),
    )
  }
  return {
    ...choices,
    chosen:
      found === null && !withoutOrganization.includes(choices.chosen?.kind) ? undefined : choices.chosen,
    instanceId,
    organization: found?.data,
    users: listed?.data.users,
    unreadable: listed?.data.unreadable ?? 0,
    loading: organization.isFetching || users.isFetching,
    failure: failureOf(organization),
    usersFailure: failureOf(users),
    cachedAt: earliest(found?.cachedAt, listed?.cachedAt),
    host: found?.host ?? listed?.host,
    show(shown, notice) {
      change({ ...noChoices, chosen: undefined, which: shown, notice })
      // Another one is fetched when it is rendered.
      void invalidate(JSON.stringify(shown) === JSON.stringify(which) ? 'active' : 'none')
    },
    choose(chosen, notice) {
      change({ chosen, notice })
    },
    setNotice(notice) {
      change({ notice })
    },
    setSearch(search) {
      change({ search })
    },
    refresh: () => invalidate('active'),
  }
}

function failureOf(query: {
  readonly error: { readonly report: ErrorReport } | null
  readonly errorUpdatedAt: number
}): Failure | undefined {
  return query.error === null ? undefined : { error: query.error.report, at: query.errorUpdatedAt }
}

export const OrganizationContext = createContext<Organization | undefined>(undefined)

/** Returns the organization that the view shows. */
export function useOrganization(): Organization {
  const organization = use(OrganizationContext)
  if (organization === undefined) throw new Error('There is no organization outside of its view.')
  return organization
}

/**
 * Returns where changes are sent: the API has separate calls for the caller's own organization, which more roles may
 * use.
 */
export function placeOf(which: WhichOrganization, { orgId }: OrganizationItem): OrganizationPlace {
  return which.by === 'current' ? 'current' : { orgId }
}

function earliest(one: number | undefined, other: number | undefined): number | undefined {
  if (one === undefined || other === undefined) return one ?? other
  return Math.min(one, other)
}
