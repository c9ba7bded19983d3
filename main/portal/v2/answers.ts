import { parseJson } from '../../json'
import { z } from 'zod'
import { firstOfEach, listOfRecords, type Records, textIfReadable, truthIfReadable } from '../../loose'
import { timestamp } from '../../timestamp'
import { localizedValue } from '../localized-value'
import { printable } from '../../../contract/safe-text'
import type { Profile, SystemMessage } from '../portal'
import type { CertificateCheck, IssuedKeyPair } from './vpn-api'

/** Schemas of the answers (vpn-application-api.md, section 2), which also convert them for the rest of main. */

/** Any name that is safe in an address, a log and a message. */
const profileId = z.preprocess(
  (id) => (Number.isSafeInteger(id) ? String(id) : id),
  z
    .string()
    .min(1)
    .max(1024)
    .regex(/^\P{Cc}*$/u),
)

const profile = z
  .object({ profile_id: profileId, display_name: localizedValue, default_gateway: truthIfReadable })
  .transform(({ profile_id, display_name, default_gateway }): Profile => ({
    profileId: profile_id,
    displayName: display_name ?? profile_id,
    defaultGateway: default_gateway,
  }))

/** Of a profile that is listed twice, the first entry counts. */
export const profileListData: z.ZodType<Records<Profile>> = listOfRecords(profile).transform((profiles) =>
  firstOfEach(profiles, ({ profileId }) => profileId),
)

export const keyPairData: z.ZodType<IssuedKeyPair> = z
  .object({ certificate: z.string().min(1), private_key: z.string().min(1) })
  .transform(({ certificate, private_key }) => ({ certificate, privateKey: private_key }))

export const certificateCheckData: z.ZodType<CertificateCheck> = z
  .object({ is_valid: z.boolean(), reason: z.string().optional() })
  .transform(({ is_valid, reason }) =>
    is_valid ? { isValid: true } : { isValid: false, reason: printable(reason ?? 'unknown', 100) },
  )

/** A message without a text or a date says nothing; its type only groups messages. */
const systemMessage = z
  .object({
    date_time: z.union([
      z.iso.datetime({ offset: true }).transform((text) => new Date(text)),
      timestamp.pipe(z.number()).transform((seconds) => new Date(seconds * 1000)),
    ]),
    message: z.union([
      z.string(),
      localizedValue.pipe(z.union([z.string(), z.record(z.string(), z.string())])),
    ]),
    type: textIfReadable,
  })
  .transform(({ date_time, message, type }): SystemMessage => ({
    dateTime: date_time,
    message,
    type: type ?? 'notification',
  }))

export const systemMessagesData: z.ZodType<Records<SystemMessage>> = listOfRecords(systemMessage)

/** The content of an envelope. */
export type Answer =
  | { readonly ok: true; readonly data: unknown }
  | { readonly ok: false; readonly error?: unknown }

const envelope = z.record(z.string(), z.unknown())
const answer = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), data: z.unknown() }),
  z.object({ ok: z.literal(false), error: z.unknown().optional() }),
])

/** Returns the content of `{<call>: {ok, data}}`, or undefined if the body isn't an answer to this call. */
export function openEnvelope(call: string, text: string): Answer | undefined {
  const body = envelope.safeParse(parseJson(text))
  return answer.safeParse(body.data?.[call]).data
}
