import { Refusal } from '../http/refusal'

/** Status and message of each kind of refusal (field notes, "Organization API"). */
const refusals = {
  unauthorized: [401, 'Unauthorized'],
  accessDenied: [403, 'Access denied'],
  organizationNotFound: [404, 'Organization not found'],
  userNotFound: [404, 'User not found'],
  nameTaken: [409, 'Organization name taken'],
  alreadyMember: [409, 'User is already member of this organization'],
  lastAdmin: [400, 'Cannot remove last organization admin'],
  notExact: [400, 'The body is not exactly what the document has'],
  currentOrganization: [400, 'Can not delete org for current user'],
} as const

/** Returns the refusal of a call of the organization API. */
export function refused(reason: keyof typeof refusals): Refusal {
  const [status, message] = refusals[reason]
  return new Refusal(status, message)
}
