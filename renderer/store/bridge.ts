import type { Bridge, UncheckedBridge } from '../../contract/bridge'
import type { CommandName, CommandResult } from '../../contract/commands'
import type { ErrorReport } from '../../contract/error-codes'
import type { AppState, ConnectionNews } from '../../contract/state'

/** Loaded with the first command. */
async function checkedResult<Name extends CommandName>(
  name: Name,
  result: unknown,
): Promise<CommandResult<Name>> {
  return (await import('./check-result')).checkedResult(name, result)
}

/**
 * Checks the results of commands against the contract, and reports what doesn't match, and exceptions of listeners, to
 * `onDefect`. `run` never rejects. The state isn't checked here but in main's tests: its schemas would be a fifth of the first
 * view's script.
 */
export function checkedBridge(unchecked: UncheckedBridge, onDefect: (error: unknown) => void): Bridge {
  const failed = (error: unknown) => {
    onDefect(error)
    return { ok: false, error: unexpectedError(error) } as const
  }
  const reported = (deliver: () => void): void => {
    try {
      deliver()
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
        return (await unchecked.state()) as AppState
      } catch (error) {
        onDefect(error)
        throw error
      }
    },
    onStateChanged(listener) {
      return unchecked.onStateChanged((changed) => {
        reported(() => {
          listener(changed as Partial<AppState>)
        })
      })
    },
    onConnectionNews(listener) {
      return unchecked.onConnectionNews((news) => {
        reported(() => {
          listener(news as ConnectionNews)
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
