import type { TFunction } from 'i18next'
import { type Tone, toneOf, wordOf } from '../../contract/connection'
import type { AppState, InstanceSlice, ProfileItem } from '../../contract/state'

/** What an entry of the tray's menu asks for. */
export type TrayAction =
  | { readonly does: 'connect'; readonly instanceId: string; readonly profileId: string }
  | { readonly does: 'disconnect' }
  | { readonly does: 'renew'; readonly instanceId: string }
  | { readonly does: 'show' }
  | { readonly does: 'quit' }

export type TrayEntry =
  | { readonly kind: 'separator' }
  /** Only to be read. */
  | { readonly kind: 'line'; readonly label: string; readonly inUse?: true }
  | { readonly kind: 'item'; readonly label: string; readonly action: TrayAction }

/** The slices that the tray shows something of, apart from its language. */
export const traySlices = ['connection', 'heldBy', 'instances', 'killSwitch'] as const
type TrayState = Pick<AppState, (typeof traySlices)[number]>

/** All that the tray shows. */
export interface TrayView {
  readonly tone: Tone
  readonly title: string
  readonly entries: readonly TrayEntry[]
}

/** Over all instances: a menu is no place to search in. */
const mostProfiles = 10

/** What the tray shows of the state at `now` (ms since the epoch), in the words of `t`. */
export function trayView(state: TrayState, t: TFunction, now: number): TrayView {
  const { connection, killSwitch, heldBy } = state
  const tone = toneOf(connection)
  const underWay = tone === 'working' || tone === 'on'
  const blocked = killSwitch.blocks && !underWay
  const line = blocked ? t('desktop.tray.blocked') : stateText(connection, t)
  return {
    tone: blocked ? 'trouble' : tone,
    title: t('desktop.tray.title', { state: line }),
    entries: [
      { kind: 'line', label: line },
      ...(underWay && connection.state !== 'disconnecting'
        ? [item(t('connection.disconnect'), { does: 'disconnect' })]
        : []),
      ...renewals(state, t, now),
      // Another process has its own ways.
      ...(heldBy === undefined ? profileEntries(state, t) : []),
      { kind: 'separator' },
      item(t('desktop.tray.show'), { does: 'show' }),
      item(t('desktop.tray.quit'), { does: 'quit' }),
    ],
  }
}

/** When something of it changes by itself; undefined for never. */
export function trayChangesAt({ instances }: TrayState, now: number): number | undefined {
  const offers = instances.flatMap(({ ends }) => ends?.renewableFrom ?? []).filter((at) => at > now)
  return offers.length === 0 ? undefined : Math.min(...offers)
}

function stateText(connection: AppState['connection'], t: TFunction): string {
  const word = wordOf(connection)
  if (!('target' in connection)) return t(`connection.word.${word}`)
  const instance = connection.target.instanceId
  if (connection.state === 'failed') return t('desktop.tray.failed', { instance })
  return word === 'disconnected' ? t('connection.word.disconnected') : t(`desktop.tray.${word}`, { instance })
}

function renewals({ instances, heldBy }: TrayState, t: TFunction, now: number): TrayEntry[] {
  if (heldBy !== undefined) return []
  return instances
    .filter(
      ({ login, ends, renewing }) =>
        login === 'signed-in' && ends !== undefined && now >= ends.renewableFrom && renewing !== true,
    )
    .map(({ id }) =>
      item(t('desktop.tray.renew', { instance: shortened(id) }), { does: 'renew', instanceId: id }),
    )
}

function profileEntries({ instances, connection }: TrayState, t: TFunction): TrayEntry[] {
  const all = instances.flatMap((instance) => lastFirst(instance).map((profile) => ({ instance, profile })))
  const shown = all.slice(0, mostProfiles)
  const inUse = toneOf(connection) === 'off' || toneOf(connection) === 'trouble' ? undefined : connection
  const entries = shown.flatMap(({ instance, profile }, index): TrayEntry[] => {
    const { id } = instance
    const isFirst = shown[index - 1]?.instance !== instance
    const label = t('desktop.tray.connect', { profile: shortened(profile.displayName) })
    const isInUse =
      inUse !== undefined &&
      'target' in inUse &&
      inUse.target.instanceId === id &&
      inUse.target.profileId === profile.profileId
    return [
      ...(isFirst ? [{ kind: 'separator' } as const] : []),
      ...(isFirst && instances.length > 1 ? [{ kind: 'line', label: shortened(id) } as const] : []),
      isInUse
        ? { kind: 'line', label: shortened(profile.displayName), inUse: true }
        : item(label, { does: 'connect', instanceId: id, profileId: profile.profileId }),
    ]
  })
  return all.length > shown.length ? [...entries, item(t('desktop.tray.more'), { does: 'show' })] : entries
}

/** As in the window. */
function lastFirst({ profiles, lastProfileId }: InstanceSlice): readonly ProfileItem[] {
  return [
    ...profiles.items.filter(({ profileId }) => profileId === lastProfileId),
    ...profiles.items.filter(({ profileId }) => profileId !== lastProfileId),
  ]
}

/** A server's name for something, on one line of a menu. */
function shortened(name: string): string {
  const line = name.replace(/\s+/gu, ' ').trim()
  return line.length > 60 ? `${line.slice(0, 59)}…` : line
}

function item(label: string, action: TrayAction): TrayEntry {
  return { kind: 'item', label, action }
}
