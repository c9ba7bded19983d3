import { z } from 'zod'
import type { Bridge, UncheckedBridge } from '../../contract/bridge'
import type { CommandName, CommandResult } from '../../contract/commands'
import { errorReport, type ErrorReport } from '../../contract/error-codes'
import { appState, type AppState, connectionNews } from '../../contract/state'

/** Its schemas are built when the first command is run: the page is drawn before that. */
const loadCommands = async () => (await import('../../contract/commands')).commands

const failure = z.object({ ok: z.literal(false), error: errorReport })

/**
 * The bridge with every answer checked against the contract. `run` never rejects. `onDefect` is told of what does not fit, and
 * of listeners that throw.
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

/** How the renderer reports what it was not made for; without the error's text, which could hold anything. */
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
  // A slice that is sent without a value, as `heldBy`, is no more; one that is not sent is as it was.
  return Object.fromEntries(Object.entries(slices).filter(([name]) => Object.hasOwn(sent, name)))
}
