import { useRef, useState } from 'react'
import { browserWait, type BrowserWait } from '../../../contract/browser-wait'
import type { CommandResult } from '../../../contract/commands'
import type { ErrorReport } from '../../../contract/error-codes'
import { useAppState, useBridge } from '../../store/context'

/** The first sign-in that waits for the browser. Back takes the service away again, which was added a moment ago. */
export interface FirstSignIn {
  readonly signIn: BrowserWait
  readonly isLeaving: boolean
  readonly onBack: () => void
}

/** Returns the first sign-in, from the first service that is added until somebody has signed in or gone back. */
export function useFirstSignIn(): {
  /** The question stays until then. */
  readonly asks: boolean
  readonly waiting: FirstSignIn | undefined
  /** Why the service couldn't be removed. */
  readonly problem: ErrorReport | undefined
  readonly setBusy: (isBusy: boolean) => void
  readonly logIn: (instanceId: string) => void
} {
  const bridge = useBridge()
  const { instances } = useAppState()
  const [isBusy, setBusy] = useState(false)
  /** What Back has ended; the stage waits until its service is removed. */
  const [left, setLeft] = useState<BrowserWait>()
  const [problem, setProblem] = useState<ErrorReport>()
  const removal = useRef<Promise<CommandResult<'removeInstance'>>>(undefined)
  const [only, another] = instances
  const isFirst = isBusy && another === undefined
  const signIn = left ?? (isFirst ? browserWait(instances) : undefined)

  async function logIn(instanceId: string): Promise<void> {
    await bridge.run('logIn', { instanceId })
    // Back ended the login: it goes on here, also if the service couldn't be removed.
    if (removal.current === undefined) setBusy(false)
  }

  async function goBack(from: BrowserWait): Promise<void> {
    setProblem(undefined)
    setLeft(from)
    removal.current = bridge.run('removeInstance', { instanceId: from.instanceId })
    const removed = await removal.current
    if (removed.ok) {
      removal.current = undefined
      setLeft(undefined)
      setBusy(false)
    } else setProblem(removed.error)
  }

  return {
    asks: only === undefined || (isFirst && only.login !== 'signed-in'),
    waiting: signIn && {
      signIn,
      isLeaving: left !== undefined && problem === undefined,
      onBack: () => void goBack(signIn),
    },
    problem,
    setBusy,
    logIn: (instanceId) => void logIn(instanceId),
  }
}
