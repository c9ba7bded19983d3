import { createHash } from 'node:crypto'
import type { z } from 'zod'
import { sendJson, sendJsonText } from '../http/answer'
import { type App, type ErrorArea, isBelow } from '../http/app'
import { takeJson } from '../http/json-body'
import { pathOf } from '../http/parameters'
import { tags } from '../openapi/openapi'
import * as wire from './wire'
import { type Organization, refused } from './organization'
import type { OrganizationsService } from './organizations-service'

const units = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** Returns the age of a time (ISO 8601) in the words of such servers: `< 1 minute`, `1 hour`, `3 months`. */
export function ageOf(time: string, now: Date): string {
  const seconds = (now.getTime() - new Date(time).getTime()) / 1000
  const unit = units.find(([, length]) => seconds >= length)
  if (unit === undefined) return '< 1 minute'
  const [name, length] = unit
  const count = Math.floor(seconds / length)
  return count === 1 ? `1 ${name}` : `${count} ${name}s`
}

const idFields = ['id', 'orgId', 'userId']

function orgUsersOf(service: OrganizationsService, organization: Organization): unknown[] {
  const now = service.environment.clock.now()
  const { orgUsers } = service.switches.values
  const users: wire.OrgUser[] = service.membersOf(organization).map(({ user, role }, index) => {
    const { id: userId, email, login, lastSeenAt } = user
    const always = { orgId: organization.id, userId, email, login, role }
    if (orgUsers === 'bare') {
      return index % 2 === 0 ? always : { ...always, avatarUrl: null, lastSeenAt: null, lastSeenAtAge: null }
    }
    const avatarUrl = `/avatar/${createHash('md5').update(email).digest('hex')}`
    return { ...always, avatarUrl, lastSeenAt, lastSeenAtAge: ageOf(lastSeenAt, now) }
  })
  return orgUsers === 'bad' ? [{ orgId: organization.id, role: 'Viewer' }, null, ...users] : users
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

interface Call<Params, Body> {
  summary: string
  params?: z.ZodType<Params>
  body?: z.ZodType<Body>
  answer?: z.ZodType
  /** The call adds or names something that may already exist. */
  canConflict?: true
  run: (service: OrganizationsService, params: Params, body: Body) => unknown
}

function withAddress({ id, name, address }: Organization) {
  return { id, name, address }
}

function addCall<Params = unknown, Body = unknown>(
  app: App,
  method: Method | Method[],
  url: string,
  call: Call<Params, Body>,
): void {
  const { summary, answer, run } = call
  const changeErrors = call.canConflict === true ? wire.conflictErrors : wire.changeErrors
  app.route({
    method,
    url,
    schema: {
      tags: [tags.organizations],
      summary,
      headers: wire.authorizationHeader,
      params: call.params,
      body: call.body,
      response:
        answer === undefined
          ? { 200: wire.statusMessageSchema, ...changeErrors }
          : { 200: answer, ...wire.readErrors },
    },
    handler: (request, reply) => {
      // The schemas above have checked the input.
      const { organizations } = request.world
      const result = run(organizations, request.params as Params, request.body as Body)
      const { areIdsTexts, statusMessages } = organizations.switches.values
      if (answer === undefined && statusMessages === 'empty') return sendJson(reply, 200, {})
      const isOnlyOrgId = answer === undefined && statusMessages === 'string-ids'
      const texts = isOnlyOrgId ? ['orgId'] : areIdsTexts ? idFields : []
      const json = JSON.stringify(result, (field, value: unknown) =>
        typeof value === 'number' && texts.includes(field) ? String(value) : value,
      )
      return sendJsonText(reply, 200, json)
    },
  })
}

function addOrganizationRoutes(app: App): void {
  addCall(app, 'POST', '/api/orgs', {
    summary: 'Makes an organization',
    body: wire.orgBody,
    canConflict: true,
    run: (service, _params, { name, address }) => ({
      orgId: service.create(name, address).id,
      message: 'Organization created',
    }),
  })
  addCall(app, 'GET', '/api/org', {
    summary: 'The current organization',
    answer: wire.currentOrg,
    run: (service) => {
      const { id, name } = service.organization(service.currentId)
      return { id, name }
    },
  })
  addCall(app, 'GET', '/api/orgs/:orgId', {
    summary: 'An organization',
    params: wire.orgParams,
    answer: wire.org,
    run: (service, { orgId }) => withAddress(service.organization(orgId)),
  })
  addCall(app, 'GET', '/api/orgs/name/:orgName', {
    summary: 'The organization with exactly this name',
    params: wire.nameParams,
    answer: wire.org,
    run: (service, { orgName }) => withAddress(service.organizationNamed(orgName)),
  })
  addCall(app, 'DELETE', '/api/orgs/:orgId', {
    summary: 'Deletes an organization, unless it is the current one',
    params: wire.orgParams,
    run: (service, { orgId }) => {
      service.delete(orgId)
      return { message: 'Organization deleted' }
    },
  })

  // The document has POST to set a role in the current organization; servers of this kind accept PATCH.
  addPlace(app, {
    base: '/api/org',
    of: 'the current organization',
    setRole: ['POST', 'PATCH'],
    params: wire.currentParams,
    userParams: wire.currentUserParams,
  })
  addPlace(app, {
    base: '/api/orgs/:orgId',
    of: 'an organization',
    setRole: 'PATCH',
    params: wire.orgParams,
    userParams: wire.orgUserParams,
  })
}

/** Where an organization and its users are: the current one, or one by its id. */
interface Place {
  base: string
  of: string
  setRole: Method | Method[]
  params: z.ZodType<{ orgId?: number }>
  userParams: z.ZodType<{ orgId?: number; userId: number }>
}

function idOf(service: OrganizationsService, { orgId }: { orgId?: number }): number {
  return orgId ?? service.currentId
}

/** Adds the calls that change an organization, and those of its users. */
function addPlace(app: App, { base, of, setRole, params, userParams }: Place): void {
  addCall(app, 'PUT', base, {
    summary: `Updates ${of}`,
    params,
    body: wire.orgBody,
    canConflict: true,
    run: (service, given, { name, address }) => {
      service.update(idOf(service, given), name, address)
      return { message: 'Organization updated' }
    },
  })
  addCall(app, 'GET', `${base}/users`, {
    summary: `The users of ${of}`,
    params,
    answer: wire.orgUsers,
    run: (service, given) => orgUsersOf(service, service.organization(idOf(service, given))),
  })
  addCall(app, 'POST', `${base}/users`, {
    summary: `Adds a user to ${of}`,
    params,
    body: wire.newUserRoleBody,
    canConflict: true,
    run: (service, given, { loginOrEmail, role }) => ({
      message: 'User added to organization',
      userId: service.addMember(idOf(service, given), loginOrEmail, role).id,
    }),
  })
  addCall(app, setRole, `${base}/users/:userId`, {
    summary: `Sets the role of a user of ${of}`,
    params: userParams,
    body: wire.userRoleBody,
    run: (service, given, { role }) => {
      service.setRole(idOf(service, given), given.userId, role)
      return { message: 'Organization user updated' }
    },
  })
  addCall(app, 'DELETE', `${base}/users/:userId`, {
    summary: `Removes a user from ${of}`,
    params: userParams,
    run: (service, given) => {
      service.removeMember(idOf(service, given), given.userId)
      return { message: 'User removed from organization' }
    },
  })
}

const isOrgs = isBelow('/api/orgs')

/** Error answers of this interface, `{"message": "text"}` (field notes), and of all unknown paths below /api. */
export const organizationsErrorArea: ErrorArea = {
  holds: isBelow('/api'),
  send: (_request, reply, status, message) => sendJson(reply, status, { message }),
}

/** Adds interface B (section 4). Identity and rights are checked first; without `auth` every caller is the tester. */
export function addOrganizations(app: App, auth: wire.OrganizationAuthentication | undefined): void {
  takeJson(app)
  app.addHook('preValidation', (request, reply, done) => {
    const { callerRole, isSignedOut, isBasicForOrgs, areBodiesStrict } =
      request.world.organizations.switches.values
    const isServerCall = isOrgs(pathOf(request))
    const perArea = isServerCall ? 'basic' : 'bearer'
    const usual = auth === 'per-area' ? perArea : auth
    const demanded = isBasicForOrgs && isServerCall ? 'basic' : usual
    const isUnknown = demanded !== undefined && !wire.isAuthorized(demanded, request.headers.authorization)
    if (isSignedOut || isUnknown) {
      reply.header('www-authenticate', wire.challenges[demanded ?? 'bearer'])
      done(refused('unauthorized'))
    } else if (callerRole !== 'Admin' && request.method !== 'GET') {
      done(refused('accessDenied'))
    } else if (areBodiesStrict && !wire.isExact(request.body)) {
      done(refused('notExact'))
    } else {
      done()
    }
  })
  addOrganizationRoutes(app)
}
