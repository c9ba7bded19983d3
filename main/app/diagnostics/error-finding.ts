import type { FindingItem } from '../../../contract/doctor'
import { toErrorReport } from '../../errors'

/** Returns a finding with an error, which explains it: the code, its variant, and those of its details that are texts. */
export function errorFinding(
  finding: Pick<FindingItem, 'name' | 'status' | 'code'>,
  error: unknown,
): FindingItem {
  const { code, variant, details = {} } = toErrorReport(error)
  const facts = Object.entries(details).flatMap(([name, value]) =>
    typeof value === 'string' || typeof value === 'number' ? [[name, String(value)] as const] : [],
  )
  return {
    ...finding,
    error: code,
    variant,
    facts: facts.length === 0 ? undefined : Object.fromEntries(facts),
  }
}
