import { z } from 'zod'
import { createHash, timingSafeEqual } from 'node:crypto'
import { wholeNumber } from '../http/parameters'
import { addressOf, addressSchema, roleSchema } from './organization'

/** The only token that `--org-auth bearer` accepts; tokens of the VPN instance are refused. */
export const organizationToken = 'mock-organization-token'
/** The only user name and password that `--org-auth basic` accepts. */
export const administrator = 'admin:admin'

type AuthenticationScheme = 'bearer' | 'basic'
/** Authentication that `--org-auth` requires. per-area: a token below /api/org, and user name and password below /api/orgs. */
export const organizationAuthentications = ['bearer', 'basic', 'per-area'] as const
export type OrganizationAuthentication = (typeof organizationAuthentications)[number]

export const challenges: Record<AuthenticationScheme, string> = {
  basic: 'Basic realm="mock organizations", charset="UTF-8"',
  bearer: 'Bearer realm="mock organizations"',
}

function isEqual(given: Buffer, expected: string): boolean {
  const digest = (value: Buffer | string) => createHash('sha256').update(value).digest()
  return timingSafeEqual(digest(given), digest(expected))
}

/** Returns whether an `Authorization` header is valid. Comparing takes the same time for every value. */
export function isAuthorized(scheme: AuthenticationScheme, authorization: string | undefined): boolean {
  const [, givenScheme = '', credentials = ''] = /^(\S+) +(\S+)$/.exec(authorization ?? '') ?? []
  if (givenScheme.toLowerCase() !== scheme) return false
  return scheme === 'basic'
    ? isEqual(Buffer.from(credentials, 'base64'), administrator)
    : isEqual(Buffer.from(credentials), organizationToken)
}

const maxNameCharacters = 190
const maxAddressCharacters = 255

const error = `must be a text of 1 to ${maxNameCharacters} characters, without control characters`
const name = z
  .string({ error })
  .trim()
  .min(1, { error })
  .max(maxNameCharacters, { error })
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, { error })

const addressError = `must be a text of at most ${maxAddressCharacters} characters`
const addressLine = z.string({ error: addressError }).max(maxAddressCharacters, { error: addressError })
const addressLines = addressOf(addressLine.default('')).describe(
  'Replaces the whole address; left out, an update keeps it.',
)

export const orgBody = z
  .object({ name, address: addressLines.optional() }, { error: 'must be an object with a name' })
  .describe('Org')

export const newUserRoleBody = z
  .object(
    {
      loginOrEmail: name.describe('Of a user in the directory, in any case.'),
      role: roleSchema,
    },
    { error: 'must be an object with loginOrEmail and role' },
  )
  .describe('UserRole')

export const userRoleBody = z
  .object(
    { loginOrEmail: name.optional().describe('Ignored: the path names the user.'), role: roleSchema },
    { error: 'must be an object with a role' },
  )
  .describe('UserRole')

const orgOrUserRole = z.union([
  z.strictObject({ name: z.string(), address: z.strictObject(addressSchema.shape) }),
  z.strictObject({ loginOrEmail: z.string(), role: z.string() }),
])

export function isExact(body: unknown): boolean {
  return body === undefined || body === null || orgOrUserRole.safeParse(body).success
}

const id = wholeNumber(0, Number.MAX_SAFE_INTEGER)

export const currentParams = z.object({})
export const orgParams = z.object({ orgId: id })
export const currentUserParams = z.object({ userId: id })
export const orgUserParams = z.object({ orgId: id, userId: id })
export const nameParams = z.object({ orgName: z.string() })

export const authorizationHeader = z.looseObject({
  authorization: z
    .string()
    .optional()
    .describe(
      'Ignored, unless the mock runs with --org-auth. ' +
        `With bearer the token is ${organizationToken}, with basic the user name and password are ${administrator}; ` +
        'with per-area, calls below /api/org take the token, and those below /api/orgs the password.',
    ),
})

const orgAnswer = z.object({ id: z.int(), name: z.string() })
export const currentOrg = orgAnswer.describe('Org, without its address')
export const org = orgAnswer.extend({ address: addressSchema }).meta({ id: 'Org' })

export const orgUsers = z
  .array(
    z
      .object({
        orgId: z.int(),
        userId: z.int(),
        email: z.string(),
        login: z.string(),
        role: roleSchema,
        avatarUrl: z.string().nullable().optional(),
        lastSeenAt: z.iso.datetime().nullable().optional(),
        lastSeenAtAge: z.string().nullable().optional(),
      })
      .meta({ id: 'OrgUser' }),
  )
  .describe('The users of the organization, in the order in which they joined')
export type OrgUser = z.infer<typeof orgUsers>[number]

export const statusMessageSchema = z
  .object({
    message: z.string().optional(),
    orgId: z.union([z.int(), z.string()]).optional(),
    userId: z.int().optional(),
  })
  .meta({ id: 'StatusMessage' })

const errorAnswer = (when: string) => z.object({ message: z.string() }).describe(when)

export const readErrors = {
  400: errorAnswer('Malformed, or against a rule'),
  401: errorAnswer('The credentials that --org-auth requires are missing or wrong'),
  404: errorAnswer('No such organization or user'),
}

export const changeErrors = {
  ...readErrors,
  403: errorAnswer("The caller isn't an administrator"),
  413: errorAnswer('A body of more than a megabyte'),
  415: errorAnswer('A body that is not application/json'),
}

export const conflictErrors = {
  ...changeErrors,
  409: errorAnswer('The name is taken, or the user is a member already'),
}
