import type { ServiceName } from './choices'
import type { WithLogin } from './browser-wait'

/** The main views in the order of their shortcuts, Ctrl/Cmd+1 to 6. */
export const mainViews = [
  'connection',
  'messages',
  'attachments',
  'news',
  'organization',
  'settings',
] as const
export type MainView = (typeof mainViews)[number]

/** All views of the window, each with its own address after the `#`. */
export const views = [...mainViews, 'doctor'] as const
export type View = (typeof views)[number]

/** What an instance offers, and whether anybody has signed in there. */
interface Offers extends Pick<WithLogin, 'login'> {
  /** Nobody has signed in since signing out here. */
  readonly loggedOut?: true | undefined
  /** The end of the last login, which may be over. */
  readonly ends?: object | undefined
  readonly renewing?: true | undefined
  readonly profiles: { readonly items: readonly unknown[] }
  readonly hasNoMessages?: true | undefined
  /** The services that it offers or has an address for; absent while that isn't known. */
  readonly services?: Readonly<Record<ServiceName, boolean>> | undefined
}

/** Maps views to the services that they show. */
const serviceOf: Readonly<Partial<Record<View, ServiceName>>> = {
  attachments: 'attachments',
  news: 'content',
  organization: 'organizations',
}

/** The views of services; the others are always there. */
const ofServices: readonly View[] = ['messages', 'attachments', 'news', 'organization']

/** Returns false if no instance has the view's service, or nobody has signed in to one yet. */
export function isShown(view: View, instances: readonly Offers[]): boolean {
  if (!instances.some(hadLogin)) return !ofServices.includes(view)
  if (view === 'messages') return instances.some(({ hasNoMessages }) => hasNoMessages !== true)
  const service = serviceOf[view]
  if (service === undefined) return true
  return instances.some(({ services }) => services === undefined || services[service])
}

/** Returns true if somebody has signed in, now or before, as far as known. */
function hadLogin({ login, loggedOut, ends, renewing, profiles }: Offers): boolean {
  if (login === 'signed-in' || login === 'unknown') return true
  return loggedOut === true || ends !== undefined || renewing === true || profiles.items.length > 0
}

/** Returns the views that the navigation shows. */
export function shownViews(instances: readonly Offers[]): readonly MainView[] {
  return mainViews.filter((view) => isShown(view, instances))
}
