import type { Environment, Part } from '../state/environment'

/** Skeleton. */
export class OrganizationsService implements Part {
  readonly environment: Environment

  constructor(environment: Environment) {
    this.environment = environment
  }

  reset(): void {
    // skeleton
  }

  settle(): void {
    // skeleton
  }

  async close(): Promise<void> {
    // skeleton
  }
}
