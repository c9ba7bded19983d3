import { createContext, use, useState, type ReactNode } from 'react'
import type { Bridge } from '../../contract/bridge'
import type { CommandInput, CommandName, CommandResult } from '../../contract/commands'
import type { ErrorReport } from '../../contract/error-codes'
import type { AppState } from '../../contract/state'

const BridgeContext = createContext<Bridge | undefined>(undefined)
const StateContext = createContext<AppState | undefined>(undefined)
const BeginAnewContext = createContext<() => void>(() => undefined)

/** Gives the views main's state and the way to command it. */
export function AppContext({
  bridge,
  state,
  children,
}: {
  readonly bridge: Bridge
  readonly state: AppState
  readonly children: ReactNode
}): ReactNode {
  // Views keep what they fetched with the bridge that they fetched it through.
  const [used, setUsed] = useState(bridge)
  return (
    <BridgeContext value={used}>
      <BeginAnewContext
        value={() => {
          setUsed({ ...bridge })
        }}
      >
        <StateContext value={state}>{children}</StateContext>
      </BeginAnewContext>
    </BridgeContext>
  )
}

/** Makes all views fetch anew what they show, for when it comes from elsewhere or is for somebody else from now on. */
export function useBeginAnew(): () => void {
  return use(BeginAnewContext)
}

/** Main's state as it is now. */
export function useAppState(): AppState {
  const state = use(StateContext)
  if (state === undefined) throw new Error('There is no state outside of AppContext.')
  return state
}

/** The way to main, for what a view asks itself. */
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
}

/** A command of the contract, with what a view shows beside its button. */
export function useCommand<Name extends CommandName>(name: Name): Command<Name> {
  const bridge = useBridge()
  const [pending, setPending] = useState(false)
  const [error, setError] = useState<ErrorReport>()
  return {
    pending,
    error,
    async run(input) {
      setPending(true)
      setError(undefined)
      const result = await bridge.run(name, input)
      setPending(false)
      if (!result.ok) setError(result.error)
      return result
    },
  }
}
