import { z } from 'zod'
import { errorCodes } from './error-codes'

/** An error as it crosses to the window. */
export const errorReport = z.object({
  code: z.enum(errorCodes),
  message: z.string(),
  details: z.record(z.string(), z.unknown()).optional(),
})
export type ErrorReport = z.infer<typeof errorReport>
