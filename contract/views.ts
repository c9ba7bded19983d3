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
  /** Somebody has signed in before, also if nobody is signed in now. */
  readonly hasSignedIn?: true | undefined
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

/** Returns true if somebody has signed in, now or before. The services around a VPN may need no sign-in of it. */
function hadLogin({ login, hasSignedIn }: Offers): boolean {
  return login === 'signed-in' || hasSignedIn === true
}

/** Returns the views that the navigation shows. */
export function shownViews(instances: readonly Offers[]): readonly MainView[] {
  return mainViews.filter((view) => isShown(view, instances))
}
