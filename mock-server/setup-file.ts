import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { clockChange } from './control/general-control'
import { faultRuleSchema } from './control/faults'
import { messageOf } from './errors'
import type { MockClient } from './client'

/** What a mock is set up with at its start: the bodies of control calls, in this order. */
const setupSchema = z.strictObject({
  scenarios: z.array(z.string()).default([]),
  clock: clockChange.optional(),
  faults: z.array(faultRuleSchema).default([]),
})
export type Setup = z.output<typeof setupSchema>

/** Returns the set-up of a scenario's name, or in a JSON file. Throws an Error with the reason if the file isn't valid. */
export function setupOf(nameOrFile: string): Setup {
  if (!nameOrFile.includes('/') && !nameOrFile.endsWith('.json'))
    return { scenarios: [nameOrFile], faults: [] }
  let json: unknown
  try {
    json = JSON.parse(readFileSync(nameOrFile, 'utf8'))
  } catch (error) {
    throw new Error(`The file ${nameOrFile} cannot be read as JSON. ${messageOf(error)}`, { cause: error })
  }
  const { success, data, error } = setupSchema.safeParse(json)
  if (success) return data
  const [issue] = error.issues
  throw new Error(
    `The file ${nameOrFile} is not valid: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`,
  )
}

/** Sets up a mock. Rejects with a MockRefusal. */
export async function setUp(mock: MockClient, setups: readonly Setup[]): Promise<void> {
  const scenarios = setups.flatMap((setup) => setup.scenarios)
  if (scenarios.length > 0) await mock.scenario(...scenarios)
  for (const { clock, faults } of setups) {
    if (clock !== undefined) await mock.call('POST /clock', { body: clock })
    for (const fault of faults) await mock.fault(fault)
  }
}
