import type { z } from 'zod'
import type { App } from '../http/app'
import { tags } from '../openapi/openapi'
import { orgUsersOf, sendAnswer, sendStatusMessage } from './answers'
import type { OrganizationsService } from './organizations-service'
import * as wire from './wire'

/** A path prefix for the users of an organization. */
interface Place {
  base: string
  of: string
  params: z.ZodType<{ orgId?: number }>
  userParams: z.ZodType<{ orgId?: number; userId: number }>
  updateMethods: ('POST' | 'PATCH')[]
}

const places: Place[] = [
  {
    base: '/api/org',
    of: 'the current organization',
    params: wire.currentParams,
    userParams: wire.currentUserParams,
    // The document has POST; servers of this kind accept PATCH.
    updateMethods: ['POST', 'PATCH'],
  },
  {
    base: '/api/orgs/:orgId',
    of: 'an organization',
    params: wire.orgParams,
    userParams: wire.orgUserParams,
    updateMethods: ['PATCH'],
  },
]

function addPlace(app: App, service: OrganizationsService, place: Place): void {
  const { base, of, params, userParams } = place
  const idOf = ({ orgId }: { orgId?: number }) => orgId ?? service.currentId
  const described = (summary: string) => ({
    tags: [tags.organizations],
    summary: `${summary} ${of}`,
    headers: wire.authorizationHeader,
  })
  const changes = { response: { 200: wire.statusMessageSchema, ...wire.changeErrors } }
  const adding = { response: { 200: wire.statusMessageSchema, ...wire.conflictErrors } }

  app.get(
    `${base}/users`,
    {
      schema: { ...described('The users of'), params, response: { 200: wire.orgUsers, ...wire.readErrors } },
    },
    (request, reply) =>
      sendAnswer(reply, service, orgUsersOf(service, service.organization(idOf(request.params)))),
  )
  app.post(
    `${base}/users`,
    { schema: { ...described('Adds a user to'), params, body: wire.newUserRoleBody, ...adding } },
    (request, reply) => {
      const { loginOrEmail, role } = request.body
      const { id: userId } = service.addMember(idOf(request.params), loginOrEmail, role)
      return sendStatusMessage(reply, service, { message: 'User added to organization', userId })
    },
  )
  app.route({
    method: place.updateMethods,
    url: `${base}/users/:userId`,
    schema: {
      ...described('Sets the role of a user of'),
      params: userParams,
      body: wire.userRoleBody,
      ...changes,
    },
    handler: (request, reply) => {
      service.setRole(idOf(request.params), request.params.userId, request.body.role)
      return sendStatusMessage(reply, service, { message: 'Organization user updated' })
    },
  })
  app.delete(
    `${base}/users/:userId`,
    { schema: { ...described('Removes a user from'), params: userParams, ...changes } },
    (request, reply) => {
      service.removeMember(idOf(request.params), request.params.userId)
      return sendStatusMessage(reply, service, { message: 'User removed from organization' })
    },
  )
}

/** Adds the calls for the users of an organization, the current one or one named in the path. */
export function addUserRoutes(app: App, service: OrganizationsService): void {
  for (const place of places) addPlace(app, service, place)
}
