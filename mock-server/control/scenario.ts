import type { AdjustableClock } from '../clock'
import type { FaultList } from './faults'

/** The name of the scenario that takes everything back; in force while there is nothing wrong. */
export const allWell = 'all-well'

/** A situation that one call sets up. */
export interface Scenario {
  /** As in `POST /_mock/scenarios/expired-certificate`: lower-case words with hyphens, unlike any other's. */
  name: string
  /** What clients meet from now on, in one sentence. */
  sentence: string
  /** Sets it up. All parts were settled just before: one scenario at a time, without forgetting what clients did. */
  apply(): void
}

/** What scenarios of every part may use beside the part itself. */
export interface ScenarioTools {
  faults: FaultList
  clock: AdjustableClock
}
