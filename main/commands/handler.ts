import type { CommandInput, CommandName, CommandOutput } from '../../contract/commands'
import type { CommandHandlers } from './dispatch'

/**
 * A handler of window and terminal. It answers with what the services know, which the terminal prints; `show` makes of that
 * what the window may have. Its input may be wider than the contract's: a page can send nothing but that.
 */
interface SharedHandler<Input, Answer, Output> {
  (input: Input, signal?: AbortSignal): Promise<Answer>
  show(answer: Answer): Output | Promise<Output>
}

/** Handlers of these commands of the contract. */
export type SharedHandlers<Names extends CommandName> = {
  readonly [Name in Names]: {
    (input: CommandInput<Name>, signal?: AbortSignal): Promise<unknown>
    show(answer: never): CommandOutput<Name> | Promise<CommandOutput<Name>>
  }
}

/** Returns a handler from what runs a command, and what makes the answer one that the window may have. */
export function handler<Input, Answer, Output>(
  run: (input: Input, signal?: AbortSignal) => Promise<Answer>,
  show: (answer: Answer) => Output | Promise<Output>,
): SharedHandler<Input, Answer, Output> {
  return Object.assign((input: Input, signal?: AbortSignal) => run(input, signal), { show })
}

/** Same as `handler` for a command that tells the window nothing but that it is done. */
export function voidHandler<Input, Answer>(
  run: (input: Input, signal?: AbortSignal) => Promise<Answer>,
): SharedHandler<Input, Answer, void> {
  return handler(run, () => undefined)
}

/** Returns the handlers as the window calls them, with the answers that it may have. */
export function forWindow<Names extends CommandName>(
  handlers: SharedHandlers<Names>,
): CommandHandlers<Names> {
  const called = Object.entries<SharedHandlers<Names>[Names]>(handlers).map(([name, handler]) => [
    name,
    async (input: CommandInput<Names>) => handler.show((await handler(input)) as never),
  ])
  return Object.fromEntries(called) as CommandHandlers<Names>
}
