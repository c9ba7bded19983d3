import type { TFunction } from 'i18next'
import { browserWait } from '../../../contract/browser-wait'
import { connectTarget, isAccessOver, isUnderWay, promisesAll } from '../../../contract/connection-summary'
import {
  type ConnectionDescription,
  describeConnection,
  type Tone,
} from '../../../contract/describe-connection'
import { serviceName } from '../../../contract/service-name'
import type { AppState, InstanceSlice, ProfileItem } from '../../../contract/state'
import { actionOf, offeredVerbs, type VerbAction, type VerbSubject, verbText } from '../../../contract/verbs'

/** The action of an entry in the tray's menu. */
export type TrayAction = VerbAction | 'show' | 'quit'

export type TrayEntry =
  | { readonly kind: 'separator' }
  /** A line of text without an action. */
  | { readonly kind: 'line'; readonly label: string; readonly inUse?: true }
  | { readonly kind: 'item'; readonly label: string; readonly action: TrayAction }

/** The slices that the tray shows, besides the language. */
export const traySlices = [
  'connection',
  'heldBy',
  'helper',
  'instances',
  'killSwitch',
  'settings',
  'shortcuts',
] as const
type TrayState = Pick<AppState, (typeof traySlices)[number]>

/** The icon: a tone, and `all` where all traffic goes through the VPN as promised. */
export type TrayIcon = Tone | 'all'

/** The content of the tray. */
export interface TrayView {
  readonly icon: TrayIcon
  readonly title: string
  readonly entries: readonly TrayEntry[]
}

/** The most profiles of all instances together, to keep the menu short. */
const maxProfiles = 10

/** Returns the content of the tray for the state at `now` (ms since the epoch). */
export function trayView(state: TrayState, t: TFunction, now: number): TrayView {
  const { connection, killSwitch, heldBy, helper, instances, settings } = state
  const signIn = browserWait(instances)
  const description = describeConnection(connection, {
    locale: 'en',
    blocks: killSwitch.blocks,
    promisesAll: promisesAll(connection, instances),
    preferTcp: settings.preferTcp,
    helper,
    hasClockSettings: process.platform !== 'linux',
    isHeld: heldBy !== undefined,
    signIn,
  })
  const { word, glance, tone, lanes } = description
  // Without a service where nothing is connected to it.
  const named =
    signIn?.instanceId ??
    ('target' in connection && word !== 'disconnected' && word !== 'blocked'
      ? connection.target.instanceId
      : undefined)
  const service = named === undefined ? '' : nameOf(instances, named)
  const line = [t(glance), service].filter(Boolean).join(': ')
  return {
    icon: tone === 'on' && lanes.rest === 'through' ? 'all' : tone,
    title: t('desktop.tray.title', { state: line }),
    entries: [
      { kind: 'line', label: line },
      ...steps(state, description, t, now),
      ...renewals(state, t, now),
      // While another process holds the tunnel, no profile can be connected here.
      ...(heldBy === undefined ? profileEntries(state, t, now) : []),
      { kind: 'separator' },
      item(t('desktop.tray.show'), 'show'),
      item(t('desktop.tray.quit'), 'quit'),
    ],
  }
}

/** Returns the next time at which the content changes without a change of state, if any. */
export function trayChangesAt({ instances }: TrayState, now: number): number | undefined {
  const offers = instances
    .flatMap(({ ends }) => (ends === undefined ? [] : [ends.renewableFrom, ends.at]))
    .filter((at) => at > now)
  return offers.length === 0 ? undefined : Math.min(...offers)
}

/** Returns what the connection's part of the window offers, but for what has its own entries: profiles, and Renew. */
function steps(
  state: TrayState,
  { word, verbs }: ConnectionDescription,
  t: TFunction,
  now: number,
): TrayEntry[] {
  if (word === 'disconnecting') return []
  const about = subject(state, undefined, now)
  return offeredVerbs(verbs, { isOver: about.isOver, hasTarget: about.target !== undefined }).flatMap(
    (verb): TrayEntry[] => {
      const action = verb === 'connect' || verb === 'renew' ? undefined : actionOf(verb, about)
      return action === undefined ? [] : [item(t(verbText[verb]), action)]
    },
  )
}

/** Returns what a verb is about, for this service or for that of the profile that is or was connected. */
function subject(state: TrayState, instanceId: string | undefined, now: number): VerbSubject {
  const { connection, heldBy, instances } = state
  const current = 'target' in connection ? connection.target : connectTarget(state)
  const id = instanceId ?? current?.instanceId
  const instance = instances.find((each) => each.id === id)
  return {
    target: current?.instanceId === id ? current : undefined,
    instanceId: id,
    isOver: instance !== undefined && isAccessOver(instance, connection, now),
    isHeld: heldBy !== undefined,
    signInTo: browserWait(instances)?.instanceId,
  }
}

function renewals(state: TrayState, t: TFunction, now: number): TrayEntry[] {
  const { connection, instances, heldBy } = state
  if (heldBy !== undefined) return []
  return instances
    .filter(
      (instance) =>
        instance.renewing !== true &&
        (isAccessOver(instance, connection, now) ||
          (instance.login === 'signed-in' &&
            instance.ends !== undefined &&
            now >= instance.ends.renewableFrom)),
    )
    .flatMap((instance): TrayEntry[] => {
      const { id, ends } = instance
      const isUp = connection.state === 'connected' && connection.target.instanceId === id
      // The window asks before it ends a connection.
      const action: VerbAction | undefined =
        isUp && ends?.endsTunnel === true
          ? { view: 'connection' }
          : actionOf('renew', subject(state, id, now))
      return action === undefined
        ? []
        : [item(t('desktop.tray.renew', { instance: shortened(serviceName(instance)) }), action)]
    })
}

function profileEntries(
  { instances, connection, shortcuts }: TrayState,
  t: TFunction,
  now: number,
): TrayEntry[] {
  // Where access has ended, Renew is the one entry that helps.
  const open = instances.filter((instance) => !isAccessOver(instance, connection, now))
  const all = open.flatMap((instance) =>
    shortcutsFirst(instance, shortcuts).map((profile, rank) => ({ instance, profile, rank })),
  )
  // Each instance gets its share: the first profile of each, then the second of each, and so on.
  const chosen = new Set(all.toSorted((one, other) => one.rank - other.rank).slice(0, maxProfiles))
  const shown = all.filter((each) => chosen.has(each))
  const inUse = isUnderWay(connection) && 'target' in connection ? connection.target : undefined
  const entries = shown.flatMap(({ instance, profile }, index): TrayEntry[] => {
    const { id } = instance
    const isFirst = shown[index - 1]?.instance !== instance
    const label = t('desktop.tray.connect', { profile: shortened(profile.displayName) })
    const isInUse = inUse?.instanceId === id && inUse.profileId === profile.profileId
    return [
      ...(isFirst ? [{ kind: 'separator' } as const] : []),
      ...(isFirst && instances.length > 1
        ? [{ kind: 'line', label: shortened(serviceName(instance)) } as const]
        : []),
      isInUse
        ? { kind: 'line', label: shortened(profile.displayName), inUse: true }
        : item(label, { name: 'connect', input: { instanceId: id, profileId: profile.profileId } }),
    ]
  })
  return all.length > shown.length ? [...entries, item(t('desktop.tray.more'), 'show')] : entries
}

/** The supported profiles of an instance: starred ones, then those connected with last, then the others in its order. */
function shortcutsFirst(
  { id, profiles }: InstanceSlice,
  { starred, recent }: TrayState['shortcuts'],
): readonly ProfileItem[] {
  const preferred = [...starred, ...recent].filter(({ instanceId }) => instanceId === id)
  const rank = ({ profileId }: ProfileItem): number => {
    const index = preferred.findIndex((each) => each.profileId === profileId)
    return index === -1 ? preferred.length : index
  }
  return profiles.items
    .filter(({ notSupported }) => notSupported !== true)
    .toSorted((one, other) => rank(one) - rank(other))
}

/** Returns the name of a service; its id once it is removed. */
function nameOf(instances: readonly InstanceSlice[], instanceId: string): string {
  const instance = instances.find(({ id }) => id === instanceId)
  return instance === undefined ? instanceId : shortened(serviceName(instance))
}

/** Shortens a server's name to one line of a menu. */
function shortened(name: string): string {
  const line = name.replace(/\s+/gu, ' ').trim()
  return line.length > 60 ? `${line.slice(0, 59)}…` : line
}

function item(label: string, action: TrayAction): TrayEntry {
  return { kind: 'item', label, action }
}
