import { z } from 'zod'
import { CausewayError } from '../../errors'
import type { HttpResponse } from '../../platform/http/http-client'
import { printable } from '../../platform/http/printable'
import { retryAfterSeconds } from '../../platform/http/retrying-http'
import { unavailable } from '../../platform/http/unavailable'
import { type CredentialKind, isForAdministrators } from './organization-credentials'

/** What a call is about, which says what its refusal means. */
export type Subject = 'organization' | 'user'

const serverWords = z.object({ message: z.string() })

/**
 * The error for an answer that is none of success (content-and-organization-apis.md, section 7; the shapes are those of
 * the field notes). `details` hold `host`, `status`, and in `error` the server's own words; of a 401 also what was `sent`,
 * and what the server `wants`; of 429 and 5xx `retryAfterSeconds`, where the server says so.
 */
export function refusal(
  response: HttpResponse,
  body: unknown,
  subject: Subject,
  sent: CredentialKind | undefined,
): CausewayError {
  const { url, status, headers } = response
  const { host } = url
  const parsed = serverWords.safeParse(body)
  const error = parsed.success ? printable(parsed.data.message) : ''
  const words = error === '' ? '' : ` (“${error}”)`
  const details = { host, status, ...(error === '' ? {} : { error }) }

  switch (status) {
    case 401: {
      // Where it does not say: known servers.
      const wants =
        wantedKind(response) ?? (sent === 'bearer' && isForAdministrators(url) ? 'basic' : undefined)
      return new CausewayError('organizations/unauthorized', unauthorized(host, words, sent, wants), {
        details: {
          ...details,
          ...(wants === undefined ? {} : { wants }),
          ...(sent === undefined ? {} : { sent }),
        },
      })
    }
    case 403:
      return new CausewayError(
        'organizations/forbidden',
        `You don't have permission to do this on ${host}${words}. Ask one of the organization's administrators.`,
        { details },
      )
    case 404:
      return isAboutUser(subject) && !/organi[sz]ation/i.test(error)
        ? new CausewayError(
            'organizations/user-not-found',
            `This user doesn't exist on ${host}, or no longer exists${words}. Check the spelling, then list the users again.`,
            { details },
          )
        : new CausewayError(
            'organizations/not-found',
            `This organization doesn't exist on ${host}, or no longer exists${words}. Check its number or name.`,
            { details },
          )
    case 409:
      return isAboutUser(subject)
        ? new CausewayError(
            'organizations/already-member',
            `This user is already a member${words}. Change their role instead.`,
            { details },
          )
        : new CausewayError(
            'organizations/name-taken',
            `Another organization already has this name${words}. Choose another name.`,
            { details },
          )
    default: {
      if (status === 400 && isAboutUser(subject) && /last\b.*\badmin/i.test(error)) {
        return new CausewayError(
          'organizations/last-administrator',
          "This is the organization's last administrator, and it needs at least one. Make someone else an administrator first.",
          { details },
        )
      }
      const seconds = retryAfterSeconds(headers, Date.now())
      const { what, todo } = unavailable(status, seconds) ?? {
        what: 'refused the request',
        todo: "Try again later, or contact the service's administrator.",
      }
      return new CausewayError('organizations/refused', `${host} ${what}${words}. ${todo}`, {
        details: { ...details, ...(seconds === undefined ? {} : { retryAfterSeconds: seconds }) },
      })
    }
  }
}

/** The error for an answer that is not what the document says. */
export function invalidResponse({ url, status }: HttpResponse): CausewayError {
  return new CausewayError(
    'organizations/invalid-response',
    `The organization service's response from ${url.host} isn't valid. Report this to the service's administrator.`,
    { details: { host: url.host, status } },
  )
}

/** The kind of credentials that a 401 asks for, where it says so. */
export function wantedKind({ headers }: HttpResponse): CredentialKind | undefined {
  const scheme = /^\s*(bearer|basic)\b/i.exec(headers.get('www-authenticate') ?? '')?.[1]?.toLowerCase()
  return scheme === 'bearer' || scheme === 'basic' ? scheme : undefined
}

function unauthorized(
  host: string,
  words: string,
  sent: CredentialKind | undefined,
  wants: CredentialKind | undefined,
): string {
  if (sent === undefined)
    return `${host} requires you to log in${words}. Enter your credentials with ${command(wants)}.`
  if (wants !== undefined && wants !== sent) {
    return `${host} requires ${names[wants]}, not ${names[sent]}${words}. Enter your credentials with ${command(wants)}.`
  }
  return sent === 'bearer'
    ? `${host} rejected your token${words}. Check that it's complete and hasn't expired, or ask the service's administrator for a new one. Then enter it with ${command(sent)}.`
    : `${host} rejected your user name and password${words}. Check the spelling, then enter them with ${command(sent)}.`
}

const names: Readonly<Record<CredentialKind, string>> = {
  bearer: 'a token',
  basic: 'a user name and password',
}

function command(kind: CredentialKind | undefined): string {
  const options = kind === undefined ? '' : ` --kind ${kind}${kind === 'basic' ? ' --user NAME' : ''}`
  return `"causeway organization credentials set${options}"`
}

function isAboutUser(subject: Subject): boolean {
  return subject === 'user'
}
