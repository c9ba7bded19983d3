import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { sendJson } from '../http/answer'
import { ageOf } from './last-seen'
import type { Organization } from './organization'
import type { OrganizationsService } from './organizations-service'
import type { OrgUser, StatusMessage } from './wire'

/** Answers a change that was made with its StatusMessage, in the form of the situation. */
export function sendStatusMessage(
  reply: FastifyReply,
  service: OrganizationsService,
  message: StatusMessage,
): FastifyReply {
  switch (service.situation.statusMessages) {
    case 'full':
      return sendJson(reply, 200, message)
    case 'string-ids':
      return sendJson(reply, 200, {
        ...message,
        ...(message.orgId === undefined ? {} : { orgId: String(message.orgId) }),
      })
    case 'empty':
      return sendJson(reply, 200, {})
  }
}

/** The OrgUser objects of an organization: with the fields of newer servers or, in the situation for it, partly without. */
export function orgUsersOf(service: OrganizationsService, organization: Organization): OrgUser[] {
  const now = service.environment.clock.now()
  const isBare = service.situation.orgUsers === 'bare'
  return service.membersOf(organization).map(({ user, role }, index) => {
    const { id: userId, email, login, lastSeenAt } = user
    const always = { orgId: organization.id, userId, email, login, role }
    if (isBare) {
      return index % 2 === 0 ? always : { ...always, avatarUrl: null, lastSeenAt: null, lastSeenAtAge: null }
    }
    const avatarUrl = `/avatar/${createHash('md5').update(email).digest('hex')}`
    return { ...always, avatarUrl, lastSeenAt, lastSeenAtAge: ageOf(lastSeenAt, now) }
  })
}
