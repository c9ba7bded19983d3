import { useEffect, useState } from 'react'
import type { CommandInput, CommandName, CommandResult } from '../../contract/commands'
import { useBridge } from './context'

/**
 * Runs a command when the component mounts, and again when its input changes; not while `isWanted` is false.
 * `result` is the latest one, undefined before the first; `isPending` while it isn't that of the current input.
 */
export function useResult<Name extends CommandName>(
  name: Name,
  input: CommandInput<Name>,
  { isWanted = true }: { readonly isWanted?: boolean } = {},
): { readonly result: CommandResult<Name> | undefined; readonly isPending: boolean } {
  const bridge = useBridge()
  const [latest, setLatest] = useState<{ readonly asked: string; readonly result: CommandResult<Name> }>()
  const asked = JSON.stringify(input)
  useEffect(() => {
    if (!isWanted) return undefined
    let isCurrent = true
    void bridge.run(name, JSON.parse(asked) as CommandInput<Name>).then((result) => {
      if (isCurrent) setLatest({ asked, result })
    })
    return () => {
      isCurrent = false
    }
  }, [bridge, name, asked, isWanted])
  return { result: latest?.result, isPending: isWanted && latest?.asked !== asked }
}
