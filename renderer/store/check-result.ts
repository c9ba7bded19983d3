import '../../contract/zod-without-eval'
import { z } from 'zod'
import { type CommandName, type CommandResult, commands } from '../../contract/commands'
import { errorReport } from '../../contract/error-codes'

const failure = z.object({ ok: z.literal(false), error: errorReport })
const success = z.object({ ok: z.literal(true), value: z.unknown() })

/** Returns a command's result if it matches the contract; throws otherwise. */
export function checkedResult<Name extends CommandName>(name: Name, result: unknown): CommandResult<Name> {
  const failed = failure.safeParse(result)
  if (failed.success) return failed.data
  return {
    ok: true,
    value: commands[name].output.parse(success.parse(result).value) as CommandResult<Name> extends {
      value: infer V
    }
      ? V
      : never,
  }
}
