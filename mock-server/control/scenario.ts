import type { AdjustableClock } from '../clock'
import type { FaultList } from './faults'

/** Name of the scenario that undoes all others; active while nothing is wrong. */
export const allWell = 'all-well'

/** A situation that one control call creates. */
export interface Scenario {
  /** Unique name in lower-case words with hyphens, as in `POST /_mock/scenarios/expired-certificate`. */
  name: string
  /** Describes in one sentence what clients experience. */
  sentence: string
  /**
   * Applies the scenario. The previous one was reverted before, so one scenario is active at a time and clients' data is kept.
   */
  apply(): void
}

/** Tools for scenarios of every part, in addition to the part itself. */
export interface ScenarioTools {
  faults: FaultList
  clock: AdjustableClock
}
