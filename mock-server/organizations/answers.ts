import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { sendJson } from '../http/answer'
import { ageOf } from './last-seen'
import type { Organization } from './organization'
import type { OrganizationsService } from './organizations-service'
import type { OrgUser, StatusMessage } from './wire'

const idFields = ['id', 'orgId', 'userId']

/** Answers 200; one situation turns ids into text. */
export function sendAnswer(reply: FastifyReply, service: OrganizationsService, body: unknown): FastifyReply {
  if (!service.switches.values.areIdsTexts) return sendJson(reply, 200, body)
  const told = JSON.stringify(body, (field, value: unknown) =>
    idFields.includes(field) && typeof value === 'number' ? String(value) : value,
  )
  return sendJson(reply, 200, JSON.parse(told))
}

/** Answers a successful change with its StatusMessage, in the form of the situation. */
export function sendStatusMessage(
  reply: FastifyReply,
  service: OrganizationsService,
  message: StatusMessage,
): FastifyReply {
  switch (service.switches.values.statusMessages) {
    case 'full':
      return sendAnswer(reply, service, message)
    case 'string-ids':
      return sendJson(reply, 200, {
        ...message,
        ...(message.orgId === undefined ? {} : { orgId: String(message.orgId) }),
      })
    case 'empty':
      return sendJson(reply, 200, {})
  }
}

/**
 * Returns the OrgUser objects of an organization, with the fields of newer servers. Situations leave fields out or add
 * invalid records.
 */
export function orgUsersOf(service: OrganizationsService, organization: Organization): unknown[] {
  const now = service.environment.clock.now()
  const { orgUsers } = service.switches.values
  const users: OrgUser[] = service.membersOf(organization).map(({ user, role }, index) => {
    const { id: userId, email, login, lastSeenAt } = user
    const always = { orgId: organization.id, userId, email, login, role }
    if (orgUsers === 'bare') {
      return index % 2 === 0 ? always : { ...always, avatarUrl: null, lastSeenAt: null, lastSeenAtAge: null }
    }
    const avatarUrl = `/avatar/${createHash('md5').update(email).digest('hex')}`
    return { ...always, avatarUrl, lastSeenAt, lastSeenAtAge: ageOf(lastSeenAt, now) }
  })
  return orgUsers === 'bad' ? [{ orgId: organization.id, role: 'Viewer' }, null, ...users] : users
}
