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

/** A call that the organization API refuses; the error area turns it into an answer. */
export class Refusal extends Error {
  readonly statusCode: number

  constructor(reason: keyof typeof refusals) {
    const [statusCode, message] = refusals[reason]
    super(message)
    this.name = 'Refusal'
    this.statusCode = statusCode
  }
}
