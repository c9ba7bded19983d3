import { useEffect, useRef, useState } from 'react'
import type { ConnectionTarget } from '../../../contract/connection'
import type { ErrorReport } from '../../../contract/error-codes'
import { actionOf, type Verb } from '../../../contract/verbs'
import { useAppState, useBridge } from '../../store/context'
import { ipcError } from '../../store/ipc-error'
import { useReportRow, useRowFailure } from '../../store/row-failure'
import { askInConnection } from '../../ui/use-shortcuts'
import { showView } from '../../ui/use-view'

/**
 * Returns a function that does something about the connection, what it is busy with, and how the last thing ended, until the
 * connection moves on.
 */
export function useVerbs({
  target,
  instanceId,
  isOver,
  about,
  signInTo,
}: {
  readonly target: ConnectionTarget | undefined
  /** The service whose access is renewed. */
  readonly instanceId: string | undefined
  /** Access has ended: renewing goes on to the target. */
  readonly isOver: boolean
  /** Names the connection or attempt that is shown. */
  readonly about: string
  /** The service whose sign-in waits for the browser. */
  readonly signInTo: string | undefined
}): {
  readonly act: (verb: Verb) => void
  readonly pending: Verb | undefined
  /** Also of the last thing that was done in a row of the list. */
  readonly error: ErrorReport | undefined
  /** The report for the help desk, or the link of a sign-in, is in the clipboard. */
  readonly copied: boolean
} {
  const { connection, heldBy, instances } = useAppState()
  const bridge = useBridge()
  const [busy, setBusy] = useState<readonly Verb[]>([])
  const [ended, setEnded] = useState<{ readonly verb: Verb; readonly error?: ErrorReport }>()
  const rowFailure = useRowFailure()
  const report = useReportRow()
  // An outcome says nothing about a later state, in which it would hide what has become of the connection.
  const [shownAbout, setShownAbout] = useState(about)
  if (shownAbout !== about) {
    setShownAbout(about)
    setEnded(undefined)
  }
  const current = useRef(about)
  useEffect(() => {
    current.current = about
    report(undefined)
  }, [about, report])
  const known = connection.state === 'failed' ? connection.error : undefined

  /** Returns an error, unless it is the person's own cancelling, or the row of its service shows it. */
  function unlessShown(error: ErrorReport | undefined, of: string | undefined): ErrorReport | undefined {
    const { loginError } = instances.find(({ id }) => id === of) ?? {}
    const elsewhere = ['oauth/cancelled', known?.code, loginError?.code]
    return error !== undefined && elsewhere.includes(error.code) ? undefined : error
  }

  async function run(
    verb: Verb,
  ): Promise<{ readonly ok: boolean; readonly error?: ErrorReport } | undefined> {
    const action = actionOf(verb, { target, instanceId, isOver, isHeld: heldBy !== undefined, signInTo })
    if (action === undefined) return undefined
    if ('view' in action) {
      if (action.search) askInConnection('search')
      else showView(action.view)
      return undefined
    }
    setBusy((before) => [...before, verb])
    const result = await bridge.run(action.name, action.input)
    setBusy((before) => before.filter((each) => each !== verb))
    return result
  }

  async function act(verb: Verb): Promise<void> {
    setEnded(undefined)
    report(undefined)
    const before = about
    const result = await run(verb)
    // A message for the help desk is about what was shown when it was asked for.
    if (result === undefined || (verb === 'copyForHelpDesk' && current.current !== before)) return
    setEnded({ verb, error: result.ok ? undefined : result.error })
  }

  const error =
    ended?.verb === 'renew'
      ? unlessShown(ended.error, instanceId)
      : ended !== undefined && connecting.includes(ended.verb)
        ? ipcError(ended.error, known)
        : ended?.error
  return {
    act: (verb) => void act(verb),
    pending: waiting.find((verb) => busy.includes(verb)),
    error: unlessShown(rowFailure?.error, rowFailure?.instanceId) ?? error,
    copied: ended !== undefined && copying.includes(ended.verb) && ended.error === undefined,
  }
}

/** These take a while that the state of the connection doesn't show. Of several, the first is shown. */
const waiting: readonly Verb[] = ['renew', 'allowTraffic', 'installHelper', 'copyForHelpDesk']

const copying: readonly Verb[] = ['copyForHelpDesk', 'copyLink']

/** Main's own failures of these are in the state of the connection. */
const connecting: readonly Verb[] = ['connect', 'reconnect', 'tryAgain', 'tryTcp', 'signInAgain']
