import type { Environment, Resettable } from '../state/environment'

/** What the content API shows, and the misprints that were reported to it. */
export class ContentService implements Resettable {
  readonly #environment: Environment

  constructor(environment: Environment) {
    this.#environment = environment
  }

  reset(): void {
    this.#environment.clock.now()
  }
}
