import { z } from 'zod'
import {
  appState,
  commands,
  errorReport,
  type AppState,
  type Bridge,
  type CommandName,
  type CommandResult,
  type ErrorReport,
  type UncheckedBridge,
} from '../../preload/contract'

const failure = z.object({ ok: z.literal(false), error: errorReport })

/** The bridge with every answer checked against the contract. `run` never rejects. */
export function checkedBridge(unchecked: UncheckedBridge): Bridge {
  return {
    async run(name, input) {
      try {
        return checkedResult(name, await unchecked.run(name, input))
      } catch (error) {
        return { ok: false, error: unexpectedError(error) }
      }
    },
    async offerFiles(files) {
      try {
        return checkedResult('chooseFiles', await unchecked.offerFiles(files))
      } catch (error) {
        return { ok: false, error: unexpectedError(error) }
      }
    },
    async state() {
      return appState.parse(await unchecked.state())
    },
    onStateChanged(listener) {
      return unchecked.onStateChanged((changed) => {
        listener(checkedSlices(changed))
      })
    },
  }
}

/** How the renderer reports what it was not made for; without the error's text, which could hold anything. */
export function unexpectedError(error: unknown): ErrorReport {
  return {
    code: 'internal/unexpected',
    message: 'Causeway met a situation it was not made for.',
    details: { kind: error instanceof Error ? error.name : typeof error },
  }
}

function checkedResult<Name extends CommandName>(name: Name, result: unknown): CommandResult<Name> {
  const failed = failure.safeParse(result)
  if (failed.success) return failed.data
  const { value } = z.object({ ok: z.literal(true), value: z.unknown() }).parse(result)
  const schema: (typeof commands)[Name]['output'] = commands[name].output
  return {
    ok: true,
    value: schema.parse(value) as CommandResult<Name> extends { value: infer V } ? V : never,
  }
}

function checkedSlices(changed: unknown): Partial<AppState> {
  const sent = z.record(z.string(), z.unknown()).parse(changed)
  const slices = appState.partial().parse(changed)
  // A slice that is sent without a value, as `heldBy`, is no more; one that is not sent is as it was.
  return Object.fromEntries(Object.entries(slices).filter(([name]) => Object.hasOwn(sent, name)))
}
