import { promises } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

/**
 * Loaded before the terminal command by `npm run soak`: that process then has the soak's clock, which is CAUSEWAY_CLOCK_SHIFT_MS
 * from the machine's, also in the times of files.
 */
const shiftMs = Number(process.env.CAUSEWAY_CLOCK_SHIFT_MS ?? 0)
const MachineDate = Date
globalThis.Date = class extends MachineDate {
  constructor(...given: [] | ConstructorParameters<typeof MachineDate>) {
    if (given.length === 0) super(MachineDate.now() + shiftMs)
    else super(...given)
  }

  static override now(): number {
    return MachineDate.now() + shiftMs
  }
} as DateConstructor

const machineStat = promises.stat
promises.stat = (async (...given: Parameters<typeof machineStat>) => {
  const found = await machineStat(...given)
  found.mtimeMs = Number(found.mtimeMs) + shiftMs
  return found
}) as typeof machineStat
syncBuiltinESMExports()
