import { z } from 'zod'
import { findingNames, troubleCodes, wellCodes } from './choices'
import { errorCodes } from './error-codes'

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
