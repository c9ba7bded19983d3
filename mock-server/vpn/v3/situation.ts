import { z } from 'zod'
import type { ListedProfile3 } from './schemas'

/** A successful answer of `/connect`. */
export interface ConnectAnswer {
  contentType: string
  /** The header Expires: a string for an invalid date, absent to omit the header. */
  expires?: Date | string
  body: string
}

/** The faults of version 3 of the API that scenarios.json can set. */
export const situation3Flags = z.strictObject({
  /** Refuses `/connect`, after its side effects. */
  refusesConnect: z
    .strictObject({ status: z.literal([403, 404, 406, 500]), error: z.string() })
    .exactOptional(),
  /** Replaces the number of configurations that a user may have. */
  maxConfigurations: z.int().exactOptional(),
  /** `/disconnect` ends the authorization as well. */
  deletesAuthorizationOnDisconnect: z.literal(true).exactOptional(),
})

/** Faults of version 3 of the API, set by a scenario. They don't change data stored by clients or control calls. */
export interface Situation3 extends z.infer<typeof situation3Flags> {
  /** Replaces the list of profiles of `/info`. */
  changeInfo?: (profiles: ListedProfile3[]) => object[]
  /** Replaces the answer of `/connect`. */
  changeConnect?: (answer: ConnectAnswer) => ConnectAnswer
}
