import { messageOf } from '../../errors'

/** Runs changes one after the other. None rejects: `failure` is the reason why the last one failed. */
export class Serial {
  failure: string | undefined
  idle: Promise<void> = Promise.resolve()

  run(change: () => unknown): Promise<void> {
    this.idle = this.idle.then(change).then(
      () => {
        this.failure = undefined
      },
      (error: unknown) => {
        this.failure = messageOf(error)
      },
    )
    return this.idle
  }

  /** Resolves after all changes. Rejects if the last one failed. */
  async settled(): Promise<void> {
    await this.idle
    if (this.failure !== undefined) throw new Error(this.failure)
  }
}
