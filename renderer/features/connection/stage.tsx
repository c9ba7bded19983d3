import { VisuallyHidden } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { browserWait } from '../../../contract/browser-wait'
import { isUnderWay } from '../../../contract/connection-summary'
import type { ConnectionDescription } from '../../../contract/describe-connection'
import { offeredVerbs, type Verb, verbText } from '../../../contract/verbs'
import { useAppState } from '../../store/context'
import { useEndedAccess } from '../../store/ended-access'
import { useServiceName } from '../../store/profile-name'
import { useTarget } from '../../store/target'
import { useDescriptionWith } from '../../store/use-description'
import { loadedLater } from '../../ui/loaded-later'
import { useErrorTexts } from '../../ui/use-error-text'
import { isSame } from '../instances/find-profiles'
import type { FirstSignIn } from '../instances/first-sign-in'
import { Announcement } from './announcement'
import { progressOf } from './lane-shapes'
import { Lanes, letters } from './lanes'
import { ProfilePicker, Subject } from './profile-picker'
import { DetailsButton, MainButton, SideButton } from './stage-buttons'
import { leadOf, StageLine } from './stage-line'
import styles from './stage.module.css'
import { useAccess } from './use-access'
import { useVerbs } from './use-verbs'

const MoreMenu = loadedLater(async () => (await import('../../ui/more-menu')).MoreMenu)
const RenewQuestion = loadedLater(async () => (await import('./renew-question')).RenewQuestion)

/**
 * Shows whether there is a connection, to what, what goes through it and until when, in one height, with the step that helps; or
 * that the person goes on in the browser.
 *
 * @param first the sign-in to the first service, which has a way back to the question
 */
export function Stage({ first }: { readonly first?: FirstSignIn | undefined }): ReactNode {
  const { t } = useTranslation()
  const { connection, instances, heldBy, settings } = useAppState()
  const signIn = first?.signIn ?? browserWait(instances)
  const description = useDescriptionWith(signIn)
  const { target: chosen, pick } = useTarget()
  const isActive = isUnderWay(connection)
  const current = isActive && 'target' in connection ? connection.target : chosen
  const target = signIn === undefined || signIn.instanceId === current?.instanceId ? current : undefined
  useEffect(() => {
    // What is connected now was picked elsewhere, or is what was picked.
    if (isActive) pick(undefined)
  }, [isActive, pick])
  // After a failure, another profile may be picked for the next try.
  const isOther =
    signIn === undefined &&
    connection.state === 'failed' &&
    target !== undefined &&
    !isSame(connection.target, target)
  const isNarrow = useMediaQuery('(width < 560px)', false, { getInitialValueInEffect: false })
  const onlyInstance = instances.length === 1 ? instances[0]?.id : undefined
  const instanceId = signIn?.instanceId ?? target?.instanceId ?? onlyInstance
  // A tunnel that stands leads to its own service.
  const isUp = isActive && description.lanes.organization !== 'yourTurn'
  const service = useServiceName(isUp && 'target' in connection ? connection.target.instanceId : instanceId)
  const isOver = useEndedAccess()(instanceId)
  const { tone, word } = description
  const since = connection.state === 'connected' ? connection.since : ''
  const about = [word, since, target?.instanceId, target?.profileId, signIn?.instanceId, heldBy?.pid].join(
    ' ',
  )
  const verbs = useVerbs({ target, instanceId, isOver, about, signInTo: signIn?.instanceId })
  const errorTexts = useErrorTexts()
  const access = useAccess(instanceId)
  const [asksToRenew, setAsksToRenew] = useState(false)
  const failure =
    signIn === undefined && connection.state === 'failed' && tone !== 'blocked' && !isOther
      ? connection.error
      : undefined
  const error = verbs.error ?? failure
  const errorText = error && errorTexts(error)

  const offered: readonly Verb[] = isOther && tone !== 'blocked' ? ['connect'] : description.verbs
  const all = offeredVerbs(offered, { isOver, hasTarget: target !== undefined })
  const [main, ...others] = all
  // Comes first beside a connection whose access is about to end.
  const renews: readonly Verb[] =
    access.canRenew && signIn === undefined && !all.includes('renew') ? ['renew'] : []
  // What helps without a connection comes first.
  const beside: readonly Verb[] =
    connection.state === 'connected' ? [...renews, ...others] : [...others, ...renews]
  const label = (verb: Verb): string =>
    verb === 'renew' && heldBy !== undefined
      ? t('connection.expiry.renewHere')
      : t(verb === 'cancelSignIn' && first !== undefined ? 'instance.back' : verbText[verb])
  const sentence = errorText?.what ?? leadOf(description, t)
  const hasDetails = connection.state !== 'idle' && (signIn === undefined || settings.connectionDetails)
  // Figures are short; a sentence needs the room.
  const shown =
    signIn !== undefined && error === undefined
      ? roomFor(beside.map(label), { sentence, isNarrow, hasDetails })
      : error !== undefined && beside[0] !== undefined && !leavesRoom(label(beside[0]), sentence, isNarrow)
        ? 0
        : isNarrow || error !== undefined || tone !== 'on'
          ? 1
          : 2
  const act = (verb: Verb): void => {
    if (verb === 'cancelSignIn' && first !== undefined) first.onBack()
    else if (verb === 'renew' && access.endsTunnel && connection.state === 'connected') setAsksToRenew(true)
    else verbs.act(verb)
  }

  const stage = useArrival(signIn !== undefined, main !== undefined)

  return (
    <section ref={stage} className={styles.stage} data-tone={tone} aria-label={t('connection.title')}>
      <div className={styles.top}>
        <div className={styles.words}>
          <div role="status" aria-atomic>
            {/* The sentence below begins with it. */}
            <p
              aria-hidden
              className={styles.word}
              data-long={
                (isNarrow && isCrowded(t(`connection.word.${word}`), main && label(main))) || undefined
              }
            >
              {t(`connection.word.${word}`)}
            </p>
            <VisuallyHidden>
              <Announcement description={description} error={errorText?.what} />
            </VisuallyHidden>
          </div>
          {signIn !== undefined ? (
            <p className={styles.subject}>
              <Subject instanceId={signIn.instanceId} profileId={target?.profileId} />
            </p>
          ) : (
            target !== undefined && <ProfilePicker target={target} />
          )}
        </div>
        {main !== undefined && (
          <MainButton
            verb={main}
            label={label(main)}
            about={target}
            helps={isOther || isOver || description.firstHelps}
            loading={
              verbs.pending === main || (main === 'renew' && access.isRenewing) || first?.isLeaving === true
            }
            disabled={word === 'disconnecting'}
            act={act}
          />
        )}
      </div>
      <StageLanes description={description} service={service} isNarrow={isNarrow} />
      <div className={styles.foot}>
        <VisuallyHidden aria-live="polite">{verbs.copied && t('connection.copied')}</VisuallyHidden>
        <StageLine
          description={description}
          access={access}
          error={error}
          sentence={sentence}
          signIn={signIn}
          // Beside what it is about, which stays true.
          said={verbs.copied ? t('connection.copied') : undefined}
        />
        {beside.slice(0, shown).map((verb) => (
          <SideButton
            key={verb}
            verb={verb}
            label={label(verb)}
            // One filled button: beside a connection or a sign-in, nothing else is the next step.
            filled={
              (main === 'disconnect' || main === 'cancelSignIn' || verb === 'openPage') &&
              verb === beside[0] &&
              verb !== 'disconnect'
            }
            loading={verbs.pending === verb || (verb === 'renew' && access.isRenewing)}
            act={act}
          />
        ))}
        {beside.length > shown && (
          <MoreMenu
            label={t('error.more')}
            className={styles.more}
            entries={beside.slice(shown).map((verb) => ({
              key: verb,
              label: label(verb),
              onChoose: () => {
                act(verb)
              },
            }))}
          />
        )}
        {hasDetails && <DetailsButton />}
      </div>
      {asksToRenew && (
        <RenewQuestion
          onAnswer={(renews) => {
            setAsksToRenew(false)
            if (renews) verbs.act('renew')
          }}
        />
      )}
    </section>
  )
}

function StageLanes({
  description: { lanes, tone, values },
  service,
  isNarrow,
}: {
  readonly description: ConnectionDescription
  /** The name of the service that the lanes lead to; empty if it has none. */
  readonly service: string
  readonly isNarrow: boolean
}): ReactNode {
  const { t } = useTranslation()
  const { connection, wording } = useAppState()
  return (
    <Lanes
      lanes={lanes}
      tone={tone}
      progress={progressOf(connection)}
      size={isNarrow ? 'narrow' : 'wide'}
      direction={wording.direction}
      texts={{
        computer: t('connection.lane.computer'),
        organization: service || t('connection.lane.organization'),
        rest: t('connection.lane.rest'),
        encrypted: t('connection.lane.encrypted'),
        barrier: t('connection.lane.barrier'),
        lane: (lane) => t(`connection.lane.${lane}`),
        allButLocal:
          lanes.apps === 'direct'
            ? t('connection.lane.allButApps', values)
            : values.local === ''
              ? undefined
              : t('connection.lane.allButLocal', values),
        apps:
          lanes.apps &&
          t(lanes.apps === 'direct' ? 'connection.lane.appsDirect' : 'connection.lane.onlyApps', values),
      }}
    />
  )
}

/** Returns how many buttons of a sign-in leave two lines for its sentence, or have a line of their own in a narrow window. */
function roomFor(
  buttons: readonly string[],
  {
    sentence,
    isNarrow,
    hasDetails,
  }: { readonly sentence: string; readonly isNarrow: boolean; readonly hasDetails: boolean },
): number {
  const [letter, around, all] = isNarrow ? [7.3, 28, 368] : [7.5, 34, 632 - 3.7 * (letters(sentence) + 22)]
  const widthOf = (texts: readonly string[]): number =>
    texts.reduce((sum, text) => sum + letter * letters(text) + around, 0)
  const rest = (hasDetails ? 100 : 0) + (buttons.length > 2 ? 40 : 0)
  return widthOf(buttons.slice(0, 2)) + rest <= all ? 2 : 1
}

/** Returns true if a button leaves two lines for a sentence beside it; in a narrow window the sentence has lines of its own. */
function leavesRoom(button: string, sentence: string, isNarrow: boolean): boolean {
  const room = isNarrow ? 230 : 440 - 3.7 * letters(sentence)
  return 8 * letters(button) + 32 <= room
}

/** Returns true if the state doesn't fit beside its button in a window of 400 px, with the widest of the usual fonts. */
function isCrowded(word: string, button: string | undefined): boolean {
  const besideIt = button === undefined ? 0 : Math.min(184, Math.max(100, 9 * letters(button) + 26) + 8)
  return 16 * letters(word) > 368 - besideIt
}

/** Returns the reference of the stage, whose next step gets the focus when a sign-in begins to wait, and when it is over. */
function useArrival(waits: boolean, hasNext: boolean): RefObject<HTMLElement | null> {
  const stage = useRef<HTMLElement>(null)
  const waited = useRef(false)
  useEffect(() => {
    if (!hasNext || (!waits && !waited.current)) return
    waited.current = waits
    const { activeElement: active } = document
    // What began the sign-in is gone; and after it, the profiles come later than the heading gets the focus.
    if (active === document.body || (!waits && active?.tagName === 'H1'))
      stage.current?.querySelector<HTMLElement>('[data-arrival]')?.focus({ preventScroll: true })
  }, [waits, hasNext])
  return stage
}
