import type { InstanceSlice } from './state'
import { mainViews, type MainView, type View } from './views'

type Service = keyof NonNullable<InstanceSlice['services']>

/** The views of services around a VPN. */
const serviceOf: Readonly<Partial<Record<View, Service>>> = {
  attachments: 'attachments',
  news: 'content',
  organization: 'organizations',
}

/** False only where it is known that no instance has what the view is for. */
export function isShown(view: View, instances: readonly InstanceSlice[]): boolean {
  const service = serviceOf[view]
  if (service === undefined || instances.length === 0) return true
  return instances.some(({ services }) => services === undefined || services[service])
}

/** The views that there are links to. */
export function shownViews(instances: readonly InstanceSlice[]): readonly MainView[] {
  return mainViews.filter((view) => isShown(view, instances))
}
