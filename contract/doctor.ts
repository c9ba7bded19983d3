import { z } from 'zod'
import { errorFindingCodes, findingNames, helpPages, troubleCodes, wellCodes } from './choices'
import { errorCodes } from './error-codes'

/** A finding about one requirement of Causeway, without text. */
export const finding = z.object({
  name: z.enum(findingNames),
  status: z.enum(['ok', 'limited', 'missing']),
  code: z.enum([...wellCodes, ...troubleCodes, ...errorFindingCodes]),
  facts: z.record(z.string(), z.string()).optional(),
  /** The error of the check itself, whose details are the facts. */
  error: z.enum(errorCodes).optional(),
  variant: z.string().optional(),
  /** A command to type into a terminal, or one a line. */
  command: z.string().optional(),
  /** A page for `openHelpPage`. */
  page: z.enum(helpPages).optional(),
  /** The finding that says what to do about this one, too. */
  remedyOf: z.enum(findingNames).optional(),
})
export type FindingItem = z.infer<typeof finding>
