import { createContext, use, useState, type ReactNode } from 'react'
import type { Bridge } from '../../contract/bridge'
import type { CommandInput, CommandName, CommandResult } from '../../contract/commands'
import type { ErrorReport } from '../../contract/error-codes'
import type { AppState } from '../../contract/state'

const BridgeContext = createContext<Bridge | undefined>(undefined)
const StateContext = createContext<AppState | undefined>(undefined)

/** Provides main's state and the bridge to the views. */
export function AppContext({
  bridge,
  state,
  children,
}: {
  readonly bridge: Bridge
  readonly state: AppState
  readonly children: ReactNode
}): ReactNode {
  return (
    <BridgeContext value={bridge}>
      <StateContext value={state}>{children}</StateContext>
    </BridgeContext>
  )
}

/** Returns main's current state. */
export function useAppState(): AppState {
  const state = use(StateContext)
  if (state === undefined) throw new Error('There is no state outside of AppContext.')
  return state
}

/** Returns the bridge to main. */
export function useBridge(): Bridge {
  const bridge = use(BridgeContext)
  if (bridge === undefined) throw new Error('There is no bridge outside of AppContext.')
  return bridge
}

export interface Command<Name extends CommandName> {
  /** Never rejects; a failure is also in `error` until the next run. */
  run(input: CommandInput<Name>): Promise<CommandResult<Name>>
  readonly pending: boolean
  readonly error: ErrorReport | undefined
  /** The last run succeeded. */
  readonly isDone: boolean
}

/** Returns a command of the contract with its progress and error. */
export function useCommand<Name extends CommandName>(name: Name): Command<Name> {
  const bridge = useBridge()
  const [pending, setPending] = useState(false)
  const [error, setError] = useState<ErrorReport>()
  const [isDone, setIsDone] = useState(false)
  return {
    pending,
    error,
    isDone,
    async run(input) {
      setPending(true)
      setError(undefined)
      setIsDone(false)
      const result = await bridge.run(name, input)
      setPending(false)
      if (result.ok) setIsDone(true)
      else setError(result.error)
      return result
    },
  }
}
