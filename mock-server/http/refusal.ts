/** A refused request. It is answered with this status, in the format of its area. */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly statusCode: number
  /** Fields beside the message, where the format has room for them. */
  readonly details: object

  constructor(statusCode: number, message: string, details: object = {}) {
    super(message)
    this.statusCode = statusCode
    this.details = details
  }
}
