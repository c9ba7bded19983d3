import { useStore } from 'zustand'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Bridge } from '../../../contract/bridge'
import type { ErrorReport } from '../../../contract/error-codes'
import type {
  OrganizationItem,
  OrganizationPlace,
  OrganizationUserItem,
  WhichOrganization,
} from '../../../contract/organizations'
import { windowStore } from '../../store/window-store'

/** The panel beside the users, or over them in a narrow window. */
export type Chosen =
  | { readonly kind: 'user'; readonly userId: string }
  | { readonly kind: 'about' | 'edit' | 'delete' | 'add-user' | 'create' | 'other' | 'credentials' }

export interface Browsing {
  readonly instanceId: string | undefined
  readonly which: WhichOrganization
  /** True after the first fetch. */
  readonly asked: boolean
  readonly organization: OrganizationItem | undefined
  readonly users: readonly OrganizationUserItem[] | undefined
  /** Number of records in the user list that couldn't be parsed. */
  readonly unreadable: number
  readonly loading: boolean
  readonly error: ErrorReport | undefined
  /** Time of the error, in ms since the epoch. */
  readonly errorAt: number | undefined
  /** Why the users couldn't be fetched although the organization was. */
  readonly usersError: ErrorReport | undefined
  /** Time of the cached answer, in ms since the epoch, if the service can't be reached. */
  readonly seenAt: number | undefined
  /** Host that couldn't be reached. */
  readonly host: string | undefined
  readonly search: string
  readonly chosen: Chosen | undefined
  /** A sentence about the last action. */
  readonly notice: string | undefined
  /** The organizations of this instance that were shown so far, the last one first, to choose from. */
  readonly seen: readonly OrganizationItem[]
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
  notice: undefined,
}

/** State of the organization view. */
export class OrganizationStore {
  readonly state: StoreApi<Browsing> = createStore(() => ({
    ...nothing,
    instanceId: undefined,
    which: current,
    asked: false,
    loading: false,
    seen: [],
  }))
  readonly #bridge: Bridge
  /** Number of the current fetch. Answers to earlier ones are ignored. */
  #run = 0
  #place = 0

  constructor(bridge: Bridge) {
    this.#bridge = bridge
  }

  /** Scroll position, in CSS pixels. Not part of the state, because nothing renders it. */
  get place(): number {
    return this.#place
  }

  /** Switches to this instance and fetches its current organization once, and again after a failure. */
  open(instanceId: string): void {
    const { asked, instanceId: before, error, usersError, seenAt } = this.state.getState()
    if (!asked || before !== instanceId)
      this.#startOver({ instanceId, which: current, ...(before === instanceId ? {} : { seen: [] }) })
    else if (error !== undefined || usersError !== undefined || seenAt !== undefined) void this.refresh()
  }

  show(which: WhichOrganization, notice?: string): void {
    this.#startOver({ which, notice })
  }

  /** Fetches again and keeps showing the old data meanwhile. */
  async refresh(): Promise<void> {
    const run = ++this.#run
    const { instanceId = '', which } = this.state.getState()
    this.state.setState({ asked: true, loading: true })
    const found = await this.#bridge.run('showOrganization', { instanceId, which })
    if (run !== this.#run) return
    if (!found.ok) {
      this.state.setState({
        loading: false,
        error: found.error,
        errorAt: Date.now(),
        ...(isDenied(found.error) ? this.#withoutOrganization() : {}),
      })
      return
    }
    const { data: organization, seenAt, host } = found.value
    const others = this.state.getState().seen.filter(({ orgId }) => orgId !== organization.orgId)
    this.state.setState({ organization, seenAt, host, error: undefined, seen: [organization, ...others] })
    const place = placeOf(which, organization)
    const listed = await this.#bridge.run('listOrganizationUsers', { instanceId, place })
    if (run !== this.#run) return
    if (!listed.ok) {
      this.state.setState({ loading: false, usersError: listed.error })
      return
    }
    this.state.setState({
      ...listed.value.data,
      seenAt: earliest(seenAt, listed.value.seenAt),
      host: host ?? listed.value.host,
      usersError: undefined,
      loading: false,
    })
  }

  search(text: string): void {
    this.#place = 0
    this.state.setState({ search: text })
  }

  choose(chosen: Chosen | undefined): void {
    this.state.setState({ chosen, notice: undefined })
  }

  setNotice(notice: string | undefined): void {
    this.state.setState({ notice })
  }

  scrolledTo(place: number): void {
    this.#place = place
  }

  /** Removes the organization and closes its details. */
  #withoutOrganization(): Partial<Browsing> {
    const { chosen, seen, which } = this.state.getState()
    const stays = chosen?.kind === 'create' || chosen?.kind === 'other' || chosen?.kind === 'credentials'
    return {
      organization: undefined,
      users: undefined,
      unreadable: 0,
      seenAt: undefined,
      seen: seen.filter(({ orgId }) => which.by !== 'id' || which.orgId !== orgId),
      chosen: stays ? chosen : undefined,
    }
  }

  #startOver(changed: Partial<Browsing>): void {
    this.#place = 0
    this.state.setState({ ...nothing, ...changed })
    void this.refresh()
  }
}

/**
 * Returns where changes are sent: the API has separate calls for the caller's own organization, which more roles may
 * use.
 */
export function placeOf(which: WhichOrganization, { orgId }: OrganizationItem): OrganizationPlace {
  return which.by === 'current' ? 'current' : { orgId }
}

/** Returns whether the caller may not see the organization, or it doesn't exist. */
function isDenied({ code }: ErrorReport): boolean {
  return ['organizations/unauthorized', 'organizations/forbidden', 'organizations/not-found'].includes(code)
}

function earliest(one: number | undefined, other: number | undefined): number | undefined {
  if (one === undefined || other === undefined) return one ?? other
  return Math.min(one, other)
}

const useOrganizationStore = windowStore((bridge) => new OrganizationStore(bridge))

export function useOrganization(): { readonly store: OrganizationStore; readonly browsing: Browsing } {
  const store = useOrganizationStore()
  return { store, browsing: useStore(store.state) }
}
