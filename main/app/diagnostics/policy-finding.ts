import { hasCode } from '../../errors'
import { type FindPolicy, registryKey } from '../policy'
import type { FindingItem } from '../../../contract/doctor'

/**
 * Returns if the policy of this computer is in effect, and the names in it that this version doesn't know; undefined without a
 * policy. One that can't be used stops the commands that need it, so that here is where an administrator learns why.
 */
export async function policyFinding(find: FindPolicy): Promise<FindingItem | undefined> {
  const name = 'policy'
  try {
    const found = await find()
    if (found === undefined) return undefined
    const { place: path, skipped } = found
    if (skipped.length === 0) {
      return { name, status: 'ok', code: 'policy-used', facts: { path } }
    }
    return { name, status: 'limited', code: 'policy-skipped', facts: { path, names: skipped.join(', ') } }
  } catch (error) {
    // The other error is that Windows' registry can't be read.
    const { path: place, problem } = (hasCode(error, 'policy/unusable') ? error.details : undefined) ?? {}
    const path = typeof place === 'string' ? place : registryKey
    return typeof problem === 'string'
      ? { name, status: 'missing', code: 'policy-invalid', facts: { path, problem } }
      : { name, status: 'missing', code: 'policy-unusable', facts: { path } }
  }
}
