import { z } from 'zod'
import { tags } from '../openapi/openapi'
import { certificateReasons } from './certificate-authority'
import { localizedText } from './localized'
import { maintenanceMessageSchema, profileIdPattern, systemMessageSchema } from './profile'

/** A plain error of the API (field notes, "Plain errors"). */
export function plainError(description: string) {
  return {
    description,
    content: {
      'application/json': { schema: z.object({ error: z.string() }) },
      'text/plain': { schema: z.string().describe('For clients that accept text/html') },
    },
  }
}

const unauthorized = z
  .object({ error: z.literal('invalid_token'), error_description: z.string() })
  .describe('The access token is missing, invalid or expired: a new one is needed')

/** Returns the OpenAPI fields that all calls of the API share. */
export const apiCall = (summary: string, description?: string) => ({
  tags: [tags.vpn],
  summary,
  security: [{ accessToken: [] }],
  description: ['Needs an access token: `Authorization: Bearer …`.', description ?? ''].join(' ').trim(),
})

export const apiErrors = { 401: unauthorized }
/** Errors of calls with a body, which is checked before the token. */
export const apiErrorsWithBody = {
  ...apiErrors,
  413: plainError('The body is too large'),
  415: plainError('The Content-Type is not valid'),
}

/** The response envelope of section 2. */
export function envelopeOf(call: string, data: z.ZodType) {
  return z.object({ [call]: z.object({ ok: z.literal(true), data }) })
}

/** HTTP 200 with `ok: false` (field notes, "profile_config"). */
export function refusalOf(call: string) {
  return z.object({ [call]: z.object({ ok: z.literal(false), error: z.string() }) })
}

export const listedProfile = z
  .object({
    profile_id: z.string().regex(profileIdPattern),
    display_name: localizedText,
    two_factor: z.literal(false),
    default_gateway: z.boolean().optional().describe('Portals from 2.2.9 on'),
  })
  .meta({ id: 'ListedProfile' })

export const issuedKeyPair = z.object({
  certificate: z.string().describe('PEM, the common name is 32 hexadecimal digits'),
  private_key: z.string().describe('PEM, PKCS#8'),
})

export const certificateCheck = z.discriminatedUnion('is_valid', [
  z.object({ is_valid: z.literal(true) }),
  z.object({ is_valid: z.literal(false), reason: z.enum(certificateReasons) }),
])

export const shownMessage = z.discriminatedUnion('type', [systemMessageSchema, maintenanceMessageSchema])

export const commonName = z.string().regex(/^[0-9a-fA-F]{32}$/)

export const userInfo = z.object({
  user_id: z.string(),
  is_disabled: z.literal(false),
  two_factor_enrolled: z.literal(false),
  two_factor_enrolled_with: z.array(z.string()).max(0),
})

export const profileConfigQuery = z.object({
  profile_id: z.string().regex(profileIdPattern),
  remote_strategy: z
    .enum(['0', '1', '2'])
    .default('1')
    .describe('0: the first port of each set; 1: a random one of each; 2: all. Any other value means 0'),
})
