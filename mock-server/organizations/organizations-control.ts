import { z } from 'zod'
import type { ControlCalls } from '../control/control-calls'
import { organizationSchema, roleSchema, userSchema } from './organization'
import type { OrganizationsService } from './organizations-service'

/** Adds the control calls of the organization API. */
export function addOrganizationsCalls(calls: ControlCalls, service: OrganizationsService): void {
  calls.add('GET /organizations', {
    summary: 'Lists the organizations and the directory of users',
    answer: z
      .object({
        currentOrgId: z.int(),
        callerRole: roleSchema,
        organizations: z.array(organizationSchema.describe('Members are named by their user id')),
        users: z.array(userSchema).describe('The directory: the users that can be added to an organization'),
      })
      .describe('The data of the organization API'),
    run: () => ({
      currentOrgId: service.currentId,
      callerRole: service.switches.values.callerRole,
      organizations: service.list(),
      users: service.directory(),
    }),
  })
  calls.add('PUT /organizations/current', {
    summary: 'Selects the current organization',
    body: z.strictObject({ orgId: z.int().min(0) }),
    refusals: { 404: 'There is no such organization.' },
    run: ({ body }) => {
      service.currentId = body.orgId
    },
  })
  calls.add('PUT /organizations/role', {
    summary: "Sets the caller's role until the next scenario; below Admin, the caller can only read",
    body: z.strictObject({ role: roleSchema }),
    run: ({ body }) => {
      service.switches.set({ callerRole: body.role })
    },
  })
}
