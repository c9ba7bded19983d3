import type { App } from '../http/app'
import type { OrganizationsService } from './organizations-service'

/** Skeleton. */
export function addOrganizationsControl(app: App, base: string, service: OrganizationsService): void {
  void [app, base, service]
}
