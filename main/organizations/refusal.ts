import { z } from 'zod'
import { CausewayError } from '../errors'
import type { HttpResponse } from '../http/http-client'
import { printable } from '../http/printable'
import { retryAfterSeconds } from '../http/retrying-http'

/** What a call is about, which says what its refusal means. */
export type Subject = 'organization' | 'user'

const serverWords = z.object({ message: z.string() })

/**
 * The error for an answer that is none of success (content-and-organization-apis.md, section 7; the shapes are those of
 * the field notes). `details` hold `host`, `status`, and in `error` the server's own words.
 */
export function refusal(
  { url, status, headers }: HttpResponse,
  body: unknown,
  subject: Subject,
  sent: 'bearer' | 'basic' | undefined,
): CausewayError {
  const { host } = url
  const parsed = serverWords.safeParse(body)
  const error = parsed.success ? printable(parsed.data.message) : ''
  const words = error === '' ? '' : ` (“${error}”)`
  const details = { host, status, ...(error === '' ? {} : { error }) }

  switch (status) {
    case 401: {
      const wants = wantedBy(headers)
      return new CausewayError(
        'organizations/unauthorized',
        sent === undefined
          ? `${host} wants to know who you are${words}. Say it with "causeway organization credentials set".`
          : `${host} does not accept ${sent === 'bearer' ? 'the token' : 'the user name and password'} that it was sent${words}. Set them anew with "causeway organization credentials set".`,
        {
          details: {
            ...details,
            ...(wants === undefined ? {} : { wants }),
            ...(sent === undefined ? {} : { sent }),
          },
        },
      )
    }
    case 403:
      return new CausewayError(
        'organizations/forbidden',
        `${host} does not let you do this${words}. Ask an administrator of the organization.`,
        { details },
      )
    case 404:
      return isAboutUser(subject) && !/organi[sz]ation/i.test(error)
        ? new CausewayError(
            'organizations/user-not-found',
            `${host} knows no such user${words}. Check the spelling, and list the users anew.`,
            { details },
          )
        : new CausewayError(
            'organizations/not-found',
            `${host} has no such organization${words}. Check its number or name.`,
            { details },
          )
    case 409:
      return isAboutUser(subject)
        ? new CausewayError(
            'organizations/already-member',
            `This user is a member of the organization already${words}. Change their role instead.`,
            { details },
          )
        : new CausewayError(
            'organizations/name-taken',
            `Another organization has this name already${words}. Choose another one.`,
            { details },
          )
    default: {
      if (status === 400 && isAboutUser(subject) && /last\b.*\badmin/i.test(error)) {
        return new CausewayError(
          'organizations/last-administrator',
          'An organization needs an administrator, and this is the last one. Make somebody else an administrator first.',
          { details },
        )
      }
      const seconds = retryAfterSeconds(headers, Date.now())
      return new CausewayError(
        'organizations/refused',
        `${host} did not do it${words}. Try again later, or ask the people who run it.`,
        { details: { ...details, ...(seconds === undefined ? {} : { retryAfterSeconds: seconds }) } },
      )
    }
  }
}

/** The error for an answer that is not what the document says. */
export function invalidResponse({ url, status }: HttpResponse): CausewayError {
  return new CausewayError(
    'organizations/invalid-response',
    `${url.host} answered something else than an organization service does. Tell the people who run it.`,
    { details: { host: url.host, status } },
  )
}

function isAboutUser(subject: Subject): boolean {
  return subject === 'user'
}

function wantedBy(headers: Headers): 'bearer' | 'basic' | undefined {
  const scheme = /^\s*(bearer|basic)\b/i.exec(headers.get('www-authenticate') ?? '')?.[1]?.toLowerCase()
  return scheme === 'bearer' || scheme === 'basic' ? scheme : undefined
}
