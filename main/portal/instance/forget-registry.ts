import { CausewayError, toErrorReport } from '../../errors'
import type { Instance } from './instance'

/** The kinds of data of an instance, in the order of deletion: running work, secrets, its list entry, other data. */
const kinds = ['work', 'secrets', 'entry', 'data'] as const
type Kind = (typeof kinds)[number]

type Forget = (instance: Instance) => Promise<void>

/** A registry of the parts that delete their data of an instance when it is removed. */
export class ForgetRegistry {
  readonly #parts: { readonly kind: Kind; readonly forget: Forget }[] = []

  add(kind: Kind, forget: Forget): void {
    this.#parts.push({ kind, forget })
  }

  /**
   * Runs `first`, then the parts of these kinds, by default all. A failing part doesn't stop the others, but the list entry
   * is kept if a secret may be left, so that the instance can be removed again. Throws all errors together.
   */
  async forget(
    instance: Instance,
    { which = kinds, first }: { readonly which?: readonly Kind[]; readonly first?: Forget } = {},
  ): Promise<void> {
    const errors: unknown[] = []
    await first?.(instance).catch((error: unknown) => errors.push(error))
    for (const kind of kinds.filter((each) => which.includes(each))) {
      if (kind === 'entry' && errors.length > 0) continue
      for (const part of this.#parts.filter((each) => each.kind === kind)) {
        try {
          await part.forget(instance)
        } catch (error) {
          errors.push(error)
        }
      }
    }
    if (errors.length > 0) throw together(errors)
  }
}

function together(errors: readonly unknown[]): unknown {
  if (errors.length === 1) return errors[0]
  const reports = errors.map(toErrorReport)
  const [{ code } = toErrorReport(undefined)] = reports
  const message = [...new Set(reports.map((each) => each.message))].join(' ')
  const failures = reports.map(({ code, details }) => ({ code, details }))
  return CausewayError.fromReport({ code, message, details: { failures } }, errors[0])
}
