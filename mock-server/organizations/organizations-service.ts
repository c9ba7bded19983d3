import type { Environment, Resettable } from '../state/environment'

/** What the organization API holds. */
export class OrganizationsService implements Resettable {
  readonly #environment: Environment

  constructor(environment: Environment) {
    this.#environment = environment
  }

  reset(): void {
    this.#environment.clock.now()
  }
}
