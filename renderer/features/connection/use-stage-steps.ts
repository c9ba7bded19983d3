import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { BrowserWait } from '../../../contract/browser-wait'
import type { ConnectionDescription } from '../../../contract/describe-connection'
import type { ErrorReport } from '../../../contract/error-codes'
import { offeredVerbs, type Verb, verbText } from '../../../contract/verbs'
import { useAppState } from '../../store/context'
import type { FirstSignIn } from '../instances/first-sign-in'
import { type Access, useAccess } from './use-access'
import type { StageSubject } from './use-stage-subject'
import { useVerbs } from './use-verbs'

/** What a person can do on the stage. */
export interface StageSteps {
  readonly main: Verb | undefined
  /** The most helpful one first. */
  readonly others: readonly Verb[]
  readonly labelOf: (verb: Verb) => string
  readonly isBusy: (verb: Verb) => boolean
  readonly act: (verb: Verb) => void
  /** The failure of the last step, or else of the connection. */
  readonly error: ErrorReport | undefined
  /** The report for the help desk, or the link of a sign-in, is in the clipboard. */
  readonly copied: boolean
  /** Until when there is access to the service. */
  readonly access: Access
  /** Renewing ends the connection: the person is asked first. */
  readonly asksToRenew: boolean
  readonly answerRenew: (renews: boolean) => void
}

/** Returns the steps that help in this state of the connection and of access to the service. */
export function useStageSteps({
  description: { tone, word, verbs: described },
  subject: { target, instanceId, isOther, isOver },
  signIn,
  first,
}: {
  readonly description: ConnectionDescription
  readonly subject: StageSubject
  readonly signIn: BrowserWait | undefined
  readonly first: FirstSignIn | undefined
}): StageSteps {
  const { t } = useTranslation()
  const { connection, heldBy } = useAppState()
  const since = connection.state === 'connected' ? connection.since : ''
  const about = [word, since, target?.instanceId, target?.profileId, signIn?.instanceId, heldBy?.pid].join(
    ' ',
  )
  const verbs = useVerbs({ target, instanceId, isOver, about, signInTo: signIn?.instanceId })
  const access = useAccess(instanceId)
  const [asksToRenew, setAsksToRenew] = useState(false)
  const isConnected = connection.state === 'connected'
  const failure =
    signIn === undefined && connection.state === 'failed' && tone !== 'blocked' && !isOther
      ? connection.error
      : undefined
  const offered: readonly Verb[] = isOther && tone !== 'blocked' ? ['connect'] : described
  const all = offeredVerbs(offered, { isOver, hasTarget: target !== undefined })
  const [main, ...others] = all
  const renews: readonly Verb[] =
    access.canRenew && signIn === undefined && !all.includes('renew') ? ['renew'] : []
  return {
    main,
    // Renewing comes first beside a connection whose access is about to end; what helps comes first without one.
    others: isConnected ? [...renews, ...others] : [...others, ...renews],
    labelOf: (verb) =>
      verb === 'renew' && heldBy !== undefined
        ? t('connection.expiry.renewHere')
        : t(verb === 'cancelSignIn' && first !== undefined ? 'instance.back' : verbText[verb]),
    isBusy: (verb) => verbs.pending === verb || (verb === 'renew' && access.isRenewing),
    act(verb) {
      if (verb === 'cancelSignIn' && first !== undefined) first.onBack()
      else if (verb === 'renew' && access.endsTunnel && isConnected) setAsksToRenew(true)
      else verbs.act(verb)
    },
    error: verbs.error ?? failure,
    copied: verbs.copied,
    access,
    asksToRenew,
    answerRenew(renews) {
      setAsksToRenew(false)
      if (renews) verbs.act('renew')
    },
  }
}
