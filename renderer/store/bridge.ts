import { z } from 'zod'
import type { Bridge, UncheckedBridge } from '../../contract/bridge'
import type { CommandName, CommandResult } from '../../contract/commands'
import { errorReport, type ErrorReport } from '../../contract/error-codes'
import { appState, type AppState, connectionNews } from '../../contract/state'

/** Loaded with the first command, so that building the schemas doesn't delay the first paint. */
const loadCommands = async () => (await import('../../contract/commands')).commands

const failure = z.object({ ok: z.literal(false), error: errorReport })

/**
 * Checks everything that crosses the bridge against the contract. `run` never rejects. Reports what doesn't match,
 * and exceptions of listeners, to `onDefect`.
 */
export function checkedBridge(unchecked: UncheckedBridge, onDefect: (error: unknown) => void): Bridge {
  const failed = (error: unknown) => {
    onDefect(error)
    return { ok: false, error: unexpectedError(error) } as const
  }
  const reported = (told: () => void): void => {
    try {
      told()
    } catch (error) {
      onDefect(error)
    }
  }
  return {
    async run(name, input) {
      try {
        return await checkedResult(name, await unchecked.run(name, input))
      } catch (error) {
        return failed(error)
      }
    },
    async offerFiles(files) {
      try {
        return await checkedResult('chooseFiles', await unchecked.offerFiles(files))
      } catch (error) {
        return failed(error)
      }
    },
    async state() {
      try {
        return appState.parse(await unchecked.state())
      } catch (error) {
        onDefect(error)
        throw error
      }
    },
    onStateChanged(listener) {
      return unchecked.onStateChanged((changed) => {
        reported(() => {
          listener(checkedSlices(changed))
        })
      })
    },
    onConnectionNews(listener) {
      return unchecked.onConnectionNews((news) => {
        reported(() => {
          listener(connectionNews.parse(news))
        })
      })
    },
  }
}

/** Converts an unexpected exception to an error report, without its message, which could contain anything. */
export function unexpectedError(error: unknown): ErrorReport {
  return {
    code: 'internal/unexpected',
    message: 'Causeway ran into an unexpected problem.',
    details: { kind: error instanceof Error ? error.name : typeof error },
  }
}

async function checkedResult<Name extends CommandName>(
  name: Name,
  result: unknown,
): Promise<CommandResult<Name>> {
  const failed = failure.safeParse(result)
  if (failed.success) return failed.data
  const { value } = z.object({ ok: z.literal(true), value: z.unknown() }).parse(result)
  const schema = (await loadCommands())[name].output
  return {
    ok: true,
    value: schema.parse(value) as CommandResult<Name> extends { value: infer V } ? V : never,
  }
}

function checkedSlices(changed: unknown): Partial<AppState> {
  const sent = z.record(z.string(), z.unknown()).parse(changed)
  const slices = appState.partial().parse(changed)
  // A slice sent without a value, such as `heldBy`, has been removed; a slice that isn't sent is unchanged.
  return Object.fromEntries(Object.entries(slices).filter(([name]) => Object.hasOwn(sent, name)))
}
