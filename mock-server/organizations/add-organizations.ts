import { sendJson } from '../http/answer'
import { type App, type ErrorArea, isBelow } from '../http/app'
import { pathOf } from '../http/parameters'
import { type AuthenticationScheme, challengeOf, isAuthorized } from './authentication'
import { addOrganizationRoutes } from './organization-routes'
import type { OrganizationsService } from './organizations-service'
import { Refusal } from './refusal'
import { addUserRoutes } from './user-routes'
import { isWhole } from './wire'

const isOrg = isBelow('/api/org')
const isOrgs = isBelow('/api/orgs')

/** Errors of this interface: `{"message": "text"}` (field notes). */
export const organizationsErrorArea: ErrorArea = {
  holds: (path) => isOrg(path) || isOrgs(path),
  send: (_request, reply, status, message) => sendJson(reply, status, { message }),
}

/**
 * The calls of interface B (content-and-organization-apis.md, section 4). Who the caller is and may do is looked at
 * before the rest of a request; without `auth` everybody counts as the tester.
 */
export function addOrganizations(
  app: App,
  service: OrganizationsService,
  options: { auth: AuthenticationScheme | undefined },
): void {
  const { auth } = options
  app.addHook('preValidation', (request, reply, done) => {
    const { callerRole, isSignedOut, isBasicForOrgs } = service.situation
    const demanded = isBasicForOrgs && isOrgs(pathOf(request)) ? 'basic' : auth
    const isUnknown = demanded !== undefined && !isAuthorized(demanded, request.headers.authorization)
    if (isSignedOut || isUnknown) {
      reply.header('www-authenticate', challengeOf(demanded ?? 'bearer'))
      done(new Refusal('unauthorized'))
    } else if (callerRole !== 'Admin' && request.method !== 'GET') {
      done(new Refusal('accessDenied'))
    } else if (service.situation.areBodiesStrict && !isWhole(request.body)) {
      done(new Refusal('notWhole'))
    } else {
      done()
    }
  })
  addOrganizationRoutes(app, service)
  addUserRoutes(app, service)
}
