import { z } from 'zod'
import packageJson from '../package.json' with { type: 'json' }

const brandSchema = z.object({
  discovery: z
    .object({
      url: z.string(),
      keys: z.array(z.string()).readonly(),
      legacy: z.enum(['accept', 'refuse']).exactOptional(),
    })
    .exactOptional(),
  updates: z.object({ url: z.string(), keys: z.array(z.string()).readonly() }).exactOptional(),
  clientIds: z.partialRecord(z.enum(['windows', 'macos', 'linux']), z.string()).exactOptional(),
})

/** The presets of a build for an organization (docs/administrators.md, "A build of your own"). */
export type Brand = Readonly<z.infer<typeof brandSchema>>

/** The field `causeway` of package.json, as it was when this was built. */
export const brand: Brand = brandSchema.parse(packageJson.causeway)
