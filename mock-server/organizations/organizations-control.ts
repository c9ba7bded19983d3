import { z } from 'zod'
import { badInput, described, errorSchema, okSchema, sendOk } from '../control/replies'
import { sendJson } from '../http/answer'
import type { App } from '../http/app'
import { organizationSchema, roleSchema, userSchema } from './organization'
import type { OrganizationsService } from './organizations-service'

const held = z
  .object({
    currentOrgId: z.int(),
    callerRole: roleSchema,
    organizations: z.array(organizationSchema.describe('Its users are known by their number')),
    users: z.array(userSchema).describe('The directory: whoever can be added to an organization'),
  })
  .describe('Everything that is held')

const currentBody = z.strictObject({ orgId: z.int().min(0) })
const roleBody = z.strictObject({ role: roleSchema })

/** Adds the control calls of the organization API below `base`. */
export function addOrganizationsControl(app: App, base: string, service: OrganizationsService): void {
  app.get(
    `${base}/organizations`,
    {
      schema: { ...described('Lists the organizations and the directory of users'), response: { 200: held } },
    },
    (_request, reply) =>
      sendJson(reply, 200, {
        currentOrgId: service.currentId,
        callerRole: service.situation.callerRole,
        organizations: service.list(),
        users: service.directory(),
      }),
  )
  app.put(
    `${base}/organizations/current`,
    {
      schema: {
        ...described('Selects the current organization'),
        body: currentBody,
        response: { 200: okSchema, ...badInput, 404: errorSchema('There is no such organization.') },
      },
    },
    ({ body }, reply) => {
      service.currentId = body.orgId
      return sendOk(reply)
    },
  )
  app.put(
    `${base}/organizations/role`,
    {
      schema: {
        ...described("Sets the caller's role until the next scenario; below Admin, the caller can only read"),
        body: roleBody,
        response: { 200: okSchema, ...badInput },
      },
    },
    ({ body }, reply) => {
      service.configure({ callerRole: body.role })
      return sendOk(reply)
    },
  )
}
