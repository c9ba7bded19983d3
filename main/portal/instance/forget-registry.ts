import { CausewayError, toErrorReport } from '../../errors'
import type { Instance } from './instance'

/** What a part has of an instance: something under way, secrets, its entry in the list, or other data. In this order. */
const kinds = ['work', 'secrets', 'entry', 'data'] as const
type Kind = (typeof kinds)[number]

type Forget = (instance: Instance) => Promise<void>

/** How an instance is forgotten: every part that has something of instances adds itself. */
export class ForgetRegistry {
  readonly #parts: { readonly kind: Kind; readonly forget: Forget }[] = []

  add(kind: Kind, forget: Forget): void {
    this.#parts.push({ kind, forget })
  }

  /**
   * Has every part of these kinds forget the instance, by default all, after `first`. One that fails stops no other; but the entry in the list
   * stays where a secret may be left, so that the instance can be removed again. Throws what failed, together.
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
  const { code } = reports[0] ?? toErrorReport(undefined)
  return new CausewayError(code, [...new Set(reports.map(({ message }) => message))].join(' '), {
    details: { failures: reports.map(({ code, details }) => ({ code, ...(details && { details }) })) },
    cause: errors[0],
  })
}
