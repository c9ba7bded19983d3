import { z } from 'zod'
import type { VariantOf } from '../../../contract/error-details'
import { CausewayError } from '../../errors'
import type { HttpResponse } from '../../platform/http/http-client'
import { printable } from '../../../contract/safe-text'
import { retryAfterSeconds } from '../../platform/http/retrying-http'
import { type CredentialKind, isForAdministrators } from './organization-credentials'

/** The subject of a call, which determines the meaning of a refusal. */
export type Subject = 'organization' | 'user'

const serverWords = z.object({ message: z.string() })

/**
 * Returns the error for an unsuccessful answer (content-and-organization-apis.md, section 7, with the shapes from the field
 * notes). `details` contains `host`, `status`, and the server's message in `error`; for a 401 also the kind that was `sent`
 * and the kind that the server `wants`; for 429 and 5xx `retryAfterSeconds` if the server sends it.
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
  const details = { host, status, error: error || undefined }

  switch (status) {
    case 401: {
      // Without the header, assume what known servers require.
      const wants =
        wantedKind(response) ?? (sent === 'bearer' && isForAdministrators(url) ? 'basic' : undefined)
      return new CausewayError('organizations/unauthorized', {
        variant: variantOf(sent, wants),
        details: { ...details, wants, sent },
      })
    }
    case 403:
      return new CausewayError('organizations/forbidden', { details })
    case 404:
      return isAboutUser(subject) && !/organi[sz]ation/i.test(error)
        ? new CausewayError('organizations/user-not-found', { details })
        : new CausewayError('organizations/not-found', { details })
    case 409:
      return isAboutUser(subject)
        ? new CausewayError('organizations/already-member', { details })
        : new CausewayError('organizations/name-taken', { details })
    default: {
      if (status === 400 && isAboutUser(subject) && /last\b.*\badmin/i.test(error)) {
        return new CausewayError('organizations/last-administrator', { details })
      }
      const seconds = retryAfterSeconds(headers, Date.now())
      return new CausewayError('organizations/refused', {
        details: { ...details, retryAfterSeconds: seconds },
      })
    }
  }
}

/** Returns the error for an answer that does not match the document. */
export function invalidResponse({ url, status }: HttpResponse): CausewayError {
  return new CausewayError('organizations/invalid-response', { details: { host: url.host, status } })
}

/** Returns the kind of credentials that a 401 requests, if it names one. */
export function wantedKind({ headers }: HttpResponse): CredentialKind | undefined {
  const scheme = /^\s*(bearer|basic)\b/i.exec(headers.get('www-authenticate') ?? '')?.[1]?.toLowerCase()
  return scheme === 'bearer' || scheme === 'basic' ? scheme : undefined
}

function variantOf(
  sent: CredentialKind | undefined,
  wants: CredentialKind | undefined,
): VariantOf<'organizations/unauthorized'> | undefined {
  if (sent === undefined) return wants && (wants === 'bearer' ? 'token-needed' : 'password-needed')
  if (wants !== undefined && wants !== sent) return wants === 'bearer' ? 'token-wanted' : 'password-wanted'
  return sent === 'bearer' ? 'token-refused' : 'password-refused'
}

function isAboutUser(subject: Subject): boolean {
  return subject === 'user'
}
