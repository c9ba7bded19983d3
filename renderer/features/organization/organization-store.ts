import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Bridge } from '../../../contract/bridge'
import type { ErrorReport } from '../../../contract/error-codes'
import type {
  OrganizationItem,
  OrganizationPlace,
  OrganizationUserItem,
  WhichOrganization,
} from '../../../contract/organizations'

/** What stands beside the users, or over them. */
export type Chosen =
  | { readonly kind: 'user'; readonly userId: string }
  | { readonly kind: 'about' | 'edit' | 'delete' | 'add-user' | 'create' | 'other' | 'credentials' }

export interface Browsing {
  readonly instanceId: string | undefined
  readonly which: WhichOrganization
  /** False until it was asked for. */
  readonly asked: boolean
  readonly organization: OrganizationItem | undefined
  readonly users: readonly OrganizationUserItem[] | undefined
  /** How many records of the list were no users. */
  readonly unreadable: number
  readonly loading: boolean
  readonly error: ErrorReport | undefined
  /** When the error came; ms since the epoch. */
  readonly errorAt: number | undefined
  /** Why there are no users, where that is not why there is no organization. */
  readonly usersError: ErrorReport | undefined
  /** When the service last said so, where it cannot be reached; ms since the epoch. */
  readonly seenAt: number | undefined
  /** The host that could not be reached then. */
  readonly host: string | undefined
  readonly search: string
  readonly chosen: Chosen | undefined
  /** What was done last, in a sentence. */
  readonly told: string | undefined
}

/** What the view of the organizations looks at. It stays when the person goes to another view and comes back. */
export interface OrganizationStore {
  readonly state: StoreApi<Browsing>
  /** How far the list is scrolled, in CSS pixels; no state, since nothing is drawn by it. */
  readonly place: number
  /**
   * Turns to this instance, where another one was looked at, and asks for its current organization once; again where that
   * went wrong.
   */
  open(instanceId: string): void
  show(which: WhichOrganization, told?: string): void
  /** Fetches anew what is looked at; what is shown stays meanwhile. */
  refresh(): Promise<void>
  search(text: string): void
  choose(chosen: Chosen | undefined): void
  tell(told: string | undefined): void
  scrolledTo(place: number): void
}

const current: WhichOrganization = { by: 'current' }

const nothing = {
  organization: undefined,
  users: undefined,
  unreadable: 0,
  error: undefined,
  errorAt: undefined,
  usersError: undefined,
  seenAt: undefined,
  host: undefined,
  search: '',
  chosen: undefined,
  told: undefined,
}

export function createOrganizationStore(bridge: Bridge): OrganizationStore {
  const state = createStore<Browsing>(() => ({
    ...nothing,
    instanceId: undefined,
    which: current,
    asked: false,
    loading: false,
  }))
  /** Counts the questions: an answer to an earlier one is of no use any more. */
  let turn = 0
  let place = 0

  async function load(): Promise<void> {
    turn += 1
    const asked = turn
    const { instanceId = '', which } = state.getState()
    state.setState({ asked: true, loading: true })
    const found = await bridge.run('showOrganization', { instanceId, which })
    if (asked !== turn) return
    if (!found.ok) {
      state.setState({
        loading: false,
        error: found.error,
        errorAt: Date.now(),
        ...(isDenied(found.error) ? withoutOrganization() : {}),
      })
      return
    }
    const { data: organization, seenAt, host } = found.value
    state.setState({ organization, seenAt, host, error: undefined })
    const listed = await bridge.run('listOrganizationUsers', {
      instanceId,
      place: placeOf(which, organization),
    })
    if (asked !== turn) return
    if (!listed.ok) {
      state.setState({ loading: false, usersError: listed.error })
      return
    }
    state.setState({
      ...listed.value.data,
      seenAt: earliest(seenAt, listed.value.seenAt),
      host: host ?? listed.value.host,
      usersError: undefined,
      loading: false,
    })
  }

  /** What was chosen of an organization that is not to be seen any more goes with it. */
  function withoutOrganization(): Partial<Browsing> {
    const { chosen } = state.getState()
    const stays = chosen?.kind === 'create' || chosen?.kind === 'other' || chosen?.kind === 'credentials'
    return {
      organization: undefined,
      users: undefined,
      unreadable: 0,
      seenAt: undefined,
      chosen: stays ? chosen : undefined,
    }
  }

  function startOver(changed: Partial<Browsing>): void {
    place = 0
    state.setState({ ...nothing, ...changed })
    void load()
  }

  return {
    state,
    get place() {
      return place
    },
    open(instanceId) {
      const { asked, instanceId: before, error, usersError, seenAt } = state.getState()
      if (!asked || before !== instanceId) startOver({ instanceId, which: current })
      else if (error !== undefined || usersError !== undefined || seenAt !== undefined) void load()
    },
    show(which, told) {
      startOver({ which, told })
    },
    refresh: load,
    search(text) {
      place = 0
      state.setState({ search: text })
    },
    choose(chosen) {
      state.setState({ chosen, told: undefined })
    },
    tell(told) {
      state.setState({ told })
    },
    scrolledTo(to) {
      place = to
    },
  }
}

/** What changes are made to: the caller's own organization has calls of its own, which more callers may make. */
export function placeOf(which: WhichOrganization, { orgId }: OrganizationItem): OrganizationPlace {
  return which.by === 'current' ? 'current' : { orgId }
}

/** Whether the service said that this caller may not see it, or that it is not there. */
function isDenied({ code }: ErrorReport): boolean {
  return ['organizations/unauthorized', 'organizations/forbidden', 'organizations/not-found'].includes(code)
}

function earliest(one: number | undefined, other: number | undefined): number | undefined {
  if (one === undefined || other === undefined) return one ?? other
  return Math.min(one, other)
}
