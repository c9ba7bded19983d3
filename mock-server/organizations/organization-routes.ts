import type { App } from '../http/app'
import { tags } from '../openapi/openapi'
import type { Organization } from './organization'
import type { OrganizationsService } from './organizations-service'
import { sendAnswer, sendStatusMessage } from './answers'
import * as wire from './wire'

const described = (summary: string) => ({
  tags: [tags.organizations],
  summary,
  headers: wire.authorizationHeader,
})
const reads = <T>(schema: T) => ({ response: { 200: schema, ...wire.readErrors } })
const changes = { response: { 200: wire.statusMessageSchema, ...wire.changeErrors } }
const naming = { response: { 200: wire.statusMessageSchema, ...wire.conflictErrors } }

function withAddress({ id, name, address }: Organization) {
  return { id, name, address }
}

/** Adds the calls for organizations themselves. */
export function addOrganizationRoutes(app: App, service: OrganizationsService): void {
  app.post(
    '/api/orgs',
    { schema: { ...described('Makes an organization'), body: wire.orgBody, ...naming } },
    ({ body }, reply) => {
      const { id } = service.create(body.name, body.address)
      return sendStatusMessage(reply, service, { orgId: id, message: 'Organization created' })
    },
  )

  app.get(
    '/api/org',
    { schema: { ...described('The current organization'), ...reads(wire.currentOrg) } },
    (_request, reply) => {
      const { id, name } = service.organization(service.currentId)
      return sendAnswer(reply, service, { id, name })
    },
  )
  app.get(
    '/api/orgs/:orgId',
    { schema: { ...described('An organization'), params: wire.orgParams, ...reads(wire.org) } },
    ({ params }, reply) => sendAnswer(reply, service, withAddress(service.organization(params.orgId))),
  )
  app.get(
    '/api/orgs/name/:orgName',
    {
      schema: {
        ...described('The organization with exactly this name'),
        params: wire.nameParams,
        ...reads(wire.org),
      },
    },
    ({ params }, reply) => sendAnswer(reply, service, withAddress(service.organizationNamed(params.orgName))),
  )

  app.put(
    '/api/org',
    { schema: { ...described('Updates the current organization'), body: wire.orgBody, ...naming } },
    ({ body }, reply) => {
      service.update(service.currentId, body.name, body.address)
      return sendStatusMessage(reply, service, { message: 'Organization updated' })
    },
  )
  app.put(
    '/api/orgs/:orgId',
    {
      schema: {
        ...described('Updates an organization'),
        params: wire.orgParams,
        body: wire.orgBody,
        ...naming,
      },
    },
    ({ params, body }, reply) => {
      service.update(params.orgId, body.name, body.address)
      return sendStatusMessage(reply, service, { message: 'Organization updated' })
    },
  )
  app.delete(
    '/api/orgs/:orgId',
    {
      schema: {
        ...described('Deletes an organization, unless it is the current one'),
        params: wire.orgParams,
        ...changes,
      },
    },
    ({ params }, reply) => {
      service.delete(params.orgId)
      return sendStatusMessage(reply, service, { message: 'Organization deleted' })
    },
  )
}
