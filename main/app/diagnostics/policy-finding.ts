import { hasCode } from '../../errors'
import { type FindPolicy, registryKey } from '../policy'
import type { Finding } from './doctor'

/**
 * Returns if the policy of this computer is in effect, and the names in it that this version doesn't know; undefined without a
 * policy. One that can't be used stops the commands that need it, so that here is where an administrator learns why.
 */
export async function policyFinding(find: FindPolicy): Promise<Finding | undefined> {
  const name = 'policy'
  try {
    const found = await find()
    if (found === undefined) return undefined
    const { place: path, skipped } = found
    if (skipped.length === 0) {
      return {
        name,
        status: 'ok',
        code: 'policy-used',
        facts: { path },
        detail: `The policy ${path} is in effect.`,
      }
    }
    const names = skipped.join(', ')
    return {
      name,
      status: 'limited',
      code: 'policy-skipped',
      facts: { path, names },
      detail: `The policy ${path} is in effect, except for what this version doesn't know: ${names}.`,
      remedy: 'Update Causeway, or correct the policy.',
    }
  } catch (error) {
    // The other error is that Windows' registry can't be read.
    const { path: place, problem } = (hasCode(error, 'policy/unusable') ? error.details : undefined) ?? {}
    const path = typeof place === 'string' ? place : registryKey
    const remedy =
      'Ask your administrator to correct it. Until then, Causeway neither lists services nor connects.'
    if (typeof problem === 'string') {
      const detail = `The policy ${path} isn't valid: ${problem}.`
      return { name, status: 'missing', code: 'policy-invalid', facts: { path, problem }, detail, remedy }
    }
    const detail = `The policy ${path} can't be read, or people who aren't administrators can change it.`
    return { name, status: 'missing', code: 'policy-unusable', facts: { path }, detail, remedy }
  }
}
