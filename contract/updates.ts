import { z } from 'zod'
import { errorReport } from './error-codes'

/** A newer version, unless the user dismissed it, and how far its installation is. */
export const updateSlice = z.object({
  /** Causeway knows where to look for new versions. */
  configured: z.boolean(),
  available: z
    .object({
      version: z.string(),
      hasNotes: z.boolean(),
      /** The running version isn't supported any more. */
      required: z.boolean(),
      /** `self`: Causeway can install it. `packages`: the system's package manager does. `manual`: it has to be downloaded. */
      means: z.enum(['self', 'packages', 'manual']),
    })
    .optional(),
  progress: z.discriminatedUnion('stage', [
    z.object({ stage: z.literal('none') }),
    /** In bytes. */
    z.object({ stage: z.literal('downloading'), received: z.number(), total: z.number() }),
    /** The file is on this computer and verified. */
    z.object({ stage: z.literal('ready') }),
    z.object({ stage: z.literal('failed'), error: errorReport }),
  ]),
})
export type UpdateSlice = z.infer<typeof updateSlice>
