import type { z } from 'zod'
import type { App } from '../http/app'
import { tags } from '../openapi/openapi'
import type { Organization } from './organization'
import type { OrganizationsService } from './organizations-service'
import * as wire from './wire'
import type { OrgUser, StatusMessage } from './wire'
import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { sendJson } from '../http/answer'

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

/** Answers 200; one situation turns ids into text. */
function sendAnswer(reply: FastifyReply, service: OrganizationsService, body: unknown): FastifyReply {
  if (!service.switches.values.areIdsTexts) return sendJson(reply, 200, body)
  const told = JSON.stringify(body, (field, value: unknown) =>
    idFields.includes(field) && typeof value === 'number' ? String(value) : value,
  )
  return sendJson(reply, 200, JSON.parse(told))
}

/** Answers a successful change with its StatusMessage, in the form of the situation. */
function sendStatusMessage(
  reply: FastifyReply,
  service: OrganizationsService,
  message: StatusMessage,
): FastifyReply {
  switch (service.switches.values.statusMessages) {
    case 'full':
      return sendAnswer(reply, service, message)
    case 'string-ids':
      return sendJson(reply, 200, { ...message, orgId: message.orgId?.toString() })
    case 'empty':
      return sendJson(reply, 200, {})
  }
}

/**
 * Returns the OrgUser objects of an organization, with the fields of newer servers. Situations leave fields out or add
 * invalid records.
 */
function orgUsersOf(service: OrganizationsService, organization: Organization): unknown[] {
  const now = service.environment.clock.now()
  const { orgUsers } = service.switches.values
  const users: OrgUser[] = service.membersOf(organization).map(({ user, role }, index) => {
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

/** The definition of a call. Calls without `answer` change something, and answer with the StatusMessage of `run`. */
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

/** Adds the calls for organizations and their users (content-and-organization-apis.md, section 4, interface B). */
export function addOrganizationRoutes(app: App): void {
  const add = <Params = unknown, Body = unknown>(
    method: Method | Method[],
    url: string,
    call: Call<Params, Body>,
  ) => {
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
        return answer === undefined
          ? sendStatusMessage(reply, organizations, result as wire.StatusMessage)
          : sendAnswer(reply, organizations, result)
      },
    })
  }

  add('POST', '/api/orgs', {
    summary: 'Makes an organization',
    body: wire.orgBody,
    canConflict: true,
    run: (service, _params, { name, address }) => ({
      orgId: service.create(name, address).id,
      message: 'Organization created',
    }),
  })
  add('GET', '/api/org', {
    summary: 'The current organization',
    answer: wire.currentOrg,
    run: (service) => {
      const { id, name } = service.organization(service.currentId)
      return { id, name }
    },
  })
  add('GET', '/api/orgs/:orgId', {
    summary: 'An organization',
    params: wire.orgParams,
    answer: wire.org,
    run: (service, { orgId }) => withAddress(service.organization(orgId)),
  })
  add('GET', '/api/orgs/name/:orgName', {
    summary: 'The organization with exactly this name',
    params: wire.nameParams,
    answer: wire.org,
    run: (service, { orgName }) => withAddress(service.organizationNamed(orgName)),
  })
  add('DELETE', '/api/orgs/:orgId', {
    summary: 'Deletes an organization, unless it is the current one',
    params: wire.orgParams,
    run: (service, { orgId }) => {
      service.delete(orgId)
      return { message: 'Organization deleted' }
    },
  })

  // The document has POST to set a role in the current organization; servers of this kind accept PATCH.
  const places = [
    { base: '/api/org', of: 'the current organization', setRole: ['POST', 'PATCH'] as Method[] },
    { base: '/api/orgs/:orgId', of: 'an organization', setRole: 'PATCH' as const },
  ]
  for (const { base, of, setRole } of places) {
    const isCurrent = base === '/api/org'
    const params: z.ZodType<{ orgId?: number }> = isCurrent ? wire.currentParams : wire.orgParams
    const userParams: z.ZodType<{ orgId?: number; userId: number }> = isCurrent
      ? wire.currentUserParams
      : wire.orgUserParams
    const idOf = (service: OrganizationsService, { orgId }: { orgId?: number }) => orgId ?? service.currentId
    add('PUT', base, {
      summary: `Updates ${of}`,
      params,
      body: wire.orgBody,
      canConflict: true,
      run: (service, given, { name, address }) => {
        service.update(idOf(service, given), name, address)
        return { message: 'Organization updated' }
      },
    })
    add('GET', `${base}/users`, {
      summary: `The users of ${of}`,
      params,
      answer: wire.orgUsers,
      run: (service, given) => orgUsersOf(service, service.organization(idOf(service, given))),
    })
    add('POST', `${base}/users`, {
      summary: `Adds a user to ${of}`,
      params,
      body: wire.newUserRoleBody,
      canConflict: true,
      run: (service, given, { loginOrEmail, role }) => ({
        message: 'User added to organization',
        userId: service.addMember(idOf(service, given), loginOrEmail, role).id,
      }),
    })
    add(setRole, `${base}/users/:userId`, {
      summary: `Sets the role of a user of ${of}`,
      params: userParams,
      body: wire.userRoleBody,
      run: (service, given, { role }) => {
        service.setRole(idOf(service, given), given.userId, role)
        return { message: 'Organization user updated' }
      },
    })
    add('DELETE', `${base}/users/:userId`, {
      summary: `Removes a user from ${of}`,
      params: userParams,
      run: (service, given) => {
        service.removeMember(idOf(service, given), given.userId)
        return { message: 'User removed from organization' }
      },
    })
  }
}
