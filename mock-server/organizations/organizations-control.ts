import { z } from 'zod'
import { call } from '../control/control-calls'
import { organizationSchema, roleSchema, userSchema } from './organization'

export const organizationsCalls = {
  'GET /organizations': call({
    summary: 'Lists the organizations and the directory of users',
    answer: z
      .object({
        currentOrgId: z.int(),
        callerRole: roleSchema,
        organizations: z.array(organizationSchema.describe('Members are named by their user id')),
        users: z.array(userSchema).describe('The directory: the users that can be added to an organization'),
      })
      .describe('The data of the organization API'),
    run: ({ world: { organizations } }) => ({
      currentOrgId: organizations.currentId,
      callerRole: organizations.switches.values.callerRole,
      organizations: organizations.list(),
      users: organizations.directory(),
    }),
  }),
  'PUT /organizations/current': call({
    summary: 'Selects the current organization',
    body: z.strictObject({ orgId: z.int().min(0) }),
    refusals: { 404: 'There is no such organization.' },
    run: ({ body, world: { organizations } }) => {
      organizations.currentId = body.orgId
    },
  }),
  'PUT /organizations/role': call({
    summary: "Sets the caller's role until the next scenario; below Admin, the caller can only read",
    body: z.strictObject({ role: roleSchema }),
    run: ({ body, world: { organizations } }) => {
      organizations.switches.set({ callerRole: body.role })
    },
  }),
}
