import { sendJson } from '../http/answer'
import { type App, type ErrorArea, isBelow } from '../http/app'
import { pathOf } from '../http/parameters'
import { challengeOf, isAuthorized, type OrganizationAuthentication } from './authentication'
import { addOrganizationRoutes } from './organization-routes'
import { refused } from './refusal'
import { isExact } from './wire'

const isOrgs = isBelow('/api/orgs')

/** Error answers of this interface, `{"message": "text"}` (field notes), and of all unknown paths below /api. */
export const organizationsErrorArea: ErrorArea = {
  holds: isBelow('/api'),
  send: (_request, reply, status, message) => sendJson(reply, status, { message }),
}

/**
 * Adds the calls of interface B (content-and-organization-apis.md, section 4). Identity and rights are checked before
 * the rest of a request; without `auth` every caller counts as the tester.
 */
export function addOrganizations(app: App, options: { auth: OrganizationAuthentication | undefined }): void {
  const { auth } = options
  app.addHook('preValidation', (request, reply, done) => {
    const { callerRole, isSignedOut, isBasicForOrgs, areBodiesStrict } =
      request.world.organizations.switches.values
    const isServerCall = isOrgs(pathOf(request))
    const perArea = isServerCall ? 'basic' : 'bearer'
    const usual = auth === 'per-area' ? perArea : auth
    const demanded = isBasicForOrgs && isServerCall ? 'basic' : usual
    const isUnknown = demanded !== undefined && !isAuthorized(demanded, request.headers.authorization)
    if (isSignedOut || isUnknown) {
      reply.header('www-authenticate', challengeOf(demanded ?? 'bearer'))
      done(refused('unauthorized'))
    } else if (callerRole !== 'Admin' && request.method !== 'GET') {
      done(refused('accessDenied'))
    } else if (areBodiesStrict && !isExact(request.body)) {
      done(refused('notExact'))
    } else {
      done()
    }
  })
  addOrganizationRoutes(app)
}
