import type { ListedProfile3 } from './schemas'

/** A successful answer of `/connect`. */
export interface ConnectAnswer {
  contentType: string
  /** The header Expires: a string for an invalid date, absent to omit the header. */
  expires?: Date | string
  body: string
}

/** Faults of version 3 of the API, set by a scenario. They don't change data stored by clients or control calls. */
export interface Situation3 {
  /** Replaces the list of profiles of `/info`. */
  changeInfo?: (profiles: ListedProfile3[]) => object[]
  /** Replaces the answer of `/connect`. */
  changeConnect?: (answer: ConnectAnswer) => ConnectAnswer
  /** Refuses `/connect`, after its side effects. */
  refusesConnect?: { status: 403 | 404 | 406 | 500; error: string }
  /** Replaces the number of configurations that a user may have. */
  maxConfigurations?: number
  /** `/disconnect` ends the authorization as well. */
  deletesAuthorizationOnDisconnect?: true
}
