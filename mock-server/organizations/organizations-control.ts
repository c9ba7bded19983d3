import { z } from 'zod'
import type { App } from '../http/app'
import { tags } from '../openapi/openapi'
import { organizationSchema, roleSchema, userSchema } from './organization'
import { answer } from './answers'
import type { OrganizationsService } from './organizations-service'

const errorAnswer = z.object({ error: z.string() })
const malformed = errorAnswer.describe('Malformed')
const tooLarge = errorAnswer.describe('A body of more than a megabyte')
const done = z.object({ ok: z.literal(true) }).describe('Done')

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

/** The control calls of the organization API, below `base`. */
export function addOrganizationsControl(app: App, base: string, service: OrganizationsService): void {
  const described = (summary: string) => ({ tags: [tags.control], summary })
  app.get(
    `${base}/organizations`,
    { schema: { ...described('The organizations and the directory of users'), response: { 200: held } } },
    (_request, reply) => {
      answer(reply, 200, {
        currentOrgId: service.currentId,
        callerRole: service.situation.callerRole,
        organizations: service.list(),
        users: service.directory(),
      })
    },
  )
  app.put(
    `${base}/organizations/current`,
    {
      schema: {
        ...described('Makes an organization the current one'),
        body: currentBody,
        response: {
          200: done,
          400: malformed,
          404: errorAnswer.describe('No such organization'),
          413: tooLarge,
        },
      },
    },
    ({ body }, reply) => {
      service.currentId = body.orgId
      answer(reply, 200, { ok: true })
    },
  )
  app.put(
    `${base}/organizations/role`,
    {
      schema: {
        ...described('Sets what the caller may do: below Admin only reading, until the next scenario'),
        body: roleBody,
        response: { 200: done, 400: malformed, 413: tooLarge },
      },
    },
    ({ body }, reply) => {
      service.bend({ callerRole: body.role })
      answer(reply, 200, { ok: true })
    },
  )
}
