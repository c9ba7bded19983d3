import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'
import { Refusal } from '../http/refusal'

const roles = ['ADMINISTRATOR', 'CONTRIBUTOR', 'MEMBER'] as const
export type Role = (typeof roles)[number]

const rolesPattern = `^(${roles.join('|')})(,(${roles.join('|')}))*$`

/** The caller, as given by the gateway in front of the service in two headers. */
export interface Identity {
  userId: string
  roles: Role[]
}

function fromList(text: string): Role[] | undefined {
  const names = text.split(',').map((name) => name.trim())
  return z.array(z.enum(roles)).safeParse(names.filter((name) => name !== '')).data
}

function fromJson(text: string): Role[] | undefined {
  try {
    return z.array(z.enum(roles)).parse(JSON.parse(text))
  } catch {
    return undefined
  }
}

export const identityHeaders = z.looseObject({
  'x-user-roles': z
    .string()
    .refine((text) => text.length <= 1000 && (fromList(text) ?? fromJson(text)) !== undefined, {
      error: `must be a list of ${roles.join(', ')}, separated by commas`,
    })
    // A text, because a generator for Kotlin writes no lists into headers.
    .meta({ pattern: rolesPattern })
    .optional()
    .describe(
      'Roles of the user, separated by commas. Without this header and x-user-id, the caller is the tester with every role.',
    ),
  'x-user-id': z.string().max(100).optional().describe('Id of the user.'),
})

const tester: Identity = { userId: 'tester', roles: [...roles] }

/**
 * Returns the caller: without headers the tester with every role, without x-user-id the tester with these roles. Throws a Refusal with
 * 400 for roles in the form of the other variant.
 */
export function identityOf(
  headers: z.infer<typeof identityHeaders>,
  { rolesAsJson, rolesUnchecked }: { rolesAsJson: boolean; rolesUnchecked: boolean },
): Identity {
  const { 'x-user-id': id = '', 'x-user-roles': given } = headers
  const userId = id === '' ? tester.userId : id
  if (rolesUnchecked || (given === undefined && id === '')) return { ...tester, userId }
  const found = rolesAsJson ? fromJson(given ?? '[]') : fromList(given ?? '')
  if (found !== undefined) return { userId, roles: found }
  const form = rolesAsJson ? 'a JSON array' : 'a list, separated by commas,'
  throw new Refusal(400, `x-user-roles: must be ${form} of ${roles.join(', ')}`)
}

export function requireIdentity({
  'x-user-id': userId = '',
  'x-user-roles': given,
}: IncomingHttpHeaders): void {
  if (userId !== '' && given !== undefined) return
  throw new Refusal(401, 'x-user-id and x-user-roles must say who calls.')
}

export function requireRole(identity: Identity, ...wanted: Role[]): void {
  if (!identity.roles.some((role) => wanted.includes(role))) {
    throw new Refusal(403, `This needs the role ${wanted.join(' or ')}.`)
  }
}

export function mayChange(identity: Identity, ownerId: string): boolean {
  return identity.userId === ownerId || identity.roles.includes('ADMINISTRATOR')
}
