import { z } from 'zod'
import type { ServiceName } from './choices'

/** The views of the window in the order of their shortcuts, Ctrl/Cmd+1 to 6. */
export const mainViews = [
  'connection',
  'messages',
  'attachments',
  'news',
  'organization',
  'settings',
] as const
export type MainView = (typeof mainViews)[number]

/** All that the window can show; each under its own address, after the `#`. */
export const view = z.enum([...mainViews, 'doctor'])
export type View = z.infer<typeof view>

/** Of an instance, the services that it offers or has an address for; absent while that is not known. */
interface Offers {
  readonly services?: Readonly<Record<ServiceName, boolean>> | undefined
}

/** The views of services around a VPN. */
const serviceOf: Readonly<Partial<Record<View, ServiceName>>> = {
  attachments: 'attachments',
  news: 'content',
  organization: 'organizations',
}

/** False only where it is known that no instance has what the view is for. */
export function isShown(view: View, instances: readonly Offers[]): boolean {
  const service = serviceOf[view]
  if (service === undefined || instances.length === 0) return true
  return instances.some(({ services }) => services === undefined || services[service])
}

/** The views that there are links to. */
export function shownViews(instances: readonly Offers[]): readonly MainView[] {
  return mainViews.filter((view) => isShown(view, instances))
}
