import { seedAttachments } from '../seed/attachments'
import type { Environment, Part } from '../state/environment'
import type { StoredAttachment } from './attachment'

/** What the attachments service holds. */
export class AttachmentsService implements Part {
  attachments: StoredAttachment[] = []
  readonly #environment: Environment

  constructor(environment: Environment) {
    this.#environment = environment
  }

  reset(): void {
    const { seed, clock } = this.#environment
    this.attachments = seedAttachments(seed, clock.now(), '')
  }

  settle(): void {
    // skeleton
  }

  async close(): Promise<void> {
    // skeleton
  }
}
