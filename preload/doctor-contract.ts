import { z } from 'zod'
import { errorCodes } from './error-codes'

/** What the doctor can find (main/doctor/doctor.ts) where all is well. */
export const wellCodes = [
  'openvpn-found',
  'service-ready',
  'rights-of-service',
  'rights-of-helper',
  'rights-of-process',
  'helper-ready',
  'tun-ready',
  'key-store-ready',
  'dns-ready',
  'nft-found',
] as const
/** And where there is something to do. */
export const troubleCodes = [
  'openvpn-unusable',
  'service-missing',
  'service-without-powershell',
  'service-not-for-you',
  'rights-need-helper',
  'rights-need-service',
  'helper-missing',
  'helper-missing-macos',
  'helper-not-used',
  'tun-absent',
  'tun-denied',
  'key-store-differs',
  'key-store-unusable',
  'dns-missing',
  'nft-missing',
] as const
export type TroubleCode = (typeof troubleCodes)[number]
export type FindingCode = (typeof wellCodes)[number] | TroubleCode

export const findingNames = [
  'openvpn',
  'service',
  'rights',
  'helper',
  'tun-device',
  'key-store',
  'dns',
  'kill-switch',
] as const
export type FindingName = (typeof findingNames)[number]

/** What was found of one thing that Causeway needs, without the words of the terminal. */
export const finding = z.object({
  name: z.enum(findingNames),
  status: z.enum(['ok', 'limited', 'missing']),
  code: z.enum([...wellCodes, ...troubleCodes]),
  facts: z.record(z.string(), z.string()).optional(),
  /** What went wrong as it was looked at. */
  error: z.enum(errorCodes).optional(),
  /** What to type into a terminal. */
  command: z.string().optional(),
})
export type FindingItem = z.infer<typeof finding>

export const doctorCommands = {
  /** Looks at everything that Causeway needs of this computer. */
  runDoctor: { input: z.void(), output: z.array(finding) },
} as const
