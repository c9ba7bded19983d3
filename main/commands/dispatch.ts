import {
  type CommandInput,
  type CommandName,
  type CommandOutput,
  type CommandResult,
  commands,
} from '../../contract/commands'
import { CausewayError, toErrorReport } from '../errors'

export type CommandHandlers<Names extends CommandName = CommandName> = {
  readonly [Name in Names]: (input: CommandInput<Name>) => Promise<CommandOutput<Name>>
}

/** Runs a command from the window; never rejects. */
export type Dispatch = (name: unknown, input: unknown) => Promise<CommandResult<CommandName>>

/**
 * Checks name and input against the contract and runs the command. A `CausewayError` goes to the window. Any other error is a
 * defect: the window gets `internal/unexpected`, and `onDefect` the error. `onFailure` gets all errors.
 */
export function createDispatch(
  handlers: CommandHandlers,
  onDefect: (error: unknown) => void,
  onFailure: (command: unknown, error: unknown) => void = () => undefined,
): Dispatch {
  async function runAs<Name extends CommandName>(name: Name, input: unknown): Promise<CommandResult<Name>> {
    const parsed = commands[name].input.safeParse(input)
    if (!parsed.success) throw invalid()
    const run = handlers[name] as (checked: unknown) => Promise<never>
    return { ok: true, value: await run(parsed.data) }
  }

  return async (name, input) => {
    try {
      if (!isCommandName(name)) throw invalid()
      return await runAs(name, input)
    } catch (error) {
      if (!(error instanceof CausewayError)) onDefect(error)
      onFailure(name, error)
      return { ok: false, error: toErrorReport(error) }
    }
  }
}

function isCommandName(name: unknown): name is CommandName {
  return typeof name === 'string' && Object.hasOwn(commands, name)
}

function invalid(): CausewayError {
  return new CausewayError('usage/invalid-argument')
}
