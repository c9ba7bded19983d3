import { sendJson } from '../http/answer'
import type { App } from '../http/app'
import { isBelow, type ErrorArea } from '../http/error-area'
import type { OrganizationsService } from './organizations-service'

const isOrg = isBelow('/api/org')
const isOrgs = isBelow('/api/orgs')

/** Skeleton. */
export const organizationsErrorArea: ErrorArea = {
  holds: (path) => isOrg(path) || isOrgs(path),
  send: (_request, reply, status, message) => sendJson(reply, status, { message }),
}

/** Skeleton. */
export function addOrganizations(
  app: App,
  service: OrganizationsService,
  options: { auth: 'bearer' | 'basic' | undefined },
): void {
  void [app, service, options]
}
