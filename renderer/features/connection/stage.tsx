import { VisuallyHidden } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useEffect, useRef, type ReactNode, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { type BrowserWait, browserWait } from '../../../contract/browser-wait'
import type { ConnectionDescription } from '../../../contract/describe-connection'
import { useAppState } from '../../store/context'
import { useDescriptionWith } from '../../store/use-description'
import { loadedLater } from '../../ui/loaded-later'
import { useErrorTexts } from '../../ui/use-error-text'
import type { FirstSignIn } from '../instances/first-sign-in'
import { Announcement } from './announcement'
import { ProfilePicker, Subject } from './profile-picker'
import { DetailsButton, MainButton, SideButton } from './stage-buttons'
import { StageLanes } from './stage-lanes'
import { leadOf, StageLine } from './stage-line'
import { buttonsBeside, isCrowded } from './stage-room'
import styles from './stage.module.css'
import { type StageSteps, useStageSteps } from './use-stage-steps'
import { type StageSubject, useStageSubject } from './use-stage-subject'

const MoreMenu = loadedLater(async () => (await import('../../ui/more-menu')).MoreMenu)
const RenewQuestion = loadedLater(async () => (await import('./renew-question')).RenewQuestion)

interface PartProps {
  readonly description: ConnectionDescription
  readonly steps: StageSteps
  readonly signIn: BrowserWait | undefined
  readonly isNarrow: boolean
}

/**
 * Shows whether there is a connection, to what, what goes through it and until when, in one height, with the step that helps; or
 * that the person goes on in the browser.
 *
 * @param first the sign-in to the first service, which has a way back to the question
 */
export function Stage({ first }: { readonly first?: FirstSignIn | undefined }): ReactNode {
  const { t } = useTranslation()
  const { instances } = useAppState()
  const signIn = first?.signIn ?? browserWait(instances)
  const description = useDescriptionWith(signIn)
  const subject = useStageSubject(signIn, description)
  const steps = useStageSteps({ description, subject, signIn, first })
  const isNarrow = useMediaQuery('(width < 560px)', undefined, { getInitialValueInEffect: false })
  const stage = useArrival(signIn !== undefined, steps.main !== undefined)
  const part = { description, steps, signIn, isNarrow }
  return (
    <section
      ref={stage}
      className={styles.stage}
      data-tone={description.tone}
      aria-label={t('connection.title')}
    >
      <StageHead {...part} subject={subject} isLeaving={first?.isLeaving === true} />
      <StageLanes description={description} service={subject.service} isNarrow={isNarrow} />
      <StageFoot {...part} />
      {steps.asksToRenew && <RenewQuestion onAnswer={steps.answerRenew} />}
    </section>
  )
}

/** The state in a word, what it is about, and the main button. */
function StageHead({
  description,
  steps: { main, labelOf, isBusy, act, error },
  signIn,
  isNarrow,
  subject: { target, isOther, isOver },
  isLeaving,
}: PartProps & { readonly subject: StageSubject; readonly isLeaving: boolean }): ReactNode {
  const { t } = useTranslation()
  const errorTexts = useErrorTexts()
  const headline = t(description.headline)
  return (
    <div className={styles.top}>
      <div className={styles.words}>
        <div role="status" aria-atomic>
          {/* The sentence below begins with it. */}
          <p
            aria-hidden
            className={styles.word}
            data-long={(isNarrow && isCrowded(headline, main && labelOf(main))) || undefined}
          >
            {headline}
          </p>
          <VisuallyHidden>
            <Announcement description={description} error={error && errorTexts(error).what} />
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
          label={labelOf(main)}
          about={target}
          helps={isOther || isOver || description.firstHelps}
          loading={isBusy(main) || isLeaving}
          disabled={description.word === 'disconnecting'}
          act={act}
        />
      )}
    </div>
  )
}

/** Figures or a sentence, and the other buttons: as many as have room, the rest in a menu. */
function StageFoot({ description, steps, signIn, isNarrow }: PartProps): ReactNode {
  const { t } = useTranslation()
  const { connection, settings } = useAppState()
  const errorTexts = useErrorTexts()
  const { main, others, labelOf, act, error } = steps
  const sentence = error === undefined ? leadOf(description, t) : errorTexts(error).what
  const hasDetails = connection.state !== 'idle' && (signIn === undefined || settings.connectionDetails)
  const fitting = buttonsBeside(others.map(labelOf), {
    sentence,
    isNarrow,
    hasDetails,
    waitsForBrowser: signIn !== undefined && error === undefined,
    hasFailed: error !== undefined,
    tone: description.tone,
  })
  const copied = steps.copied ? t('connection.copied') : undefined
  return (
    <div className={styles.foot}>
      <VisuallyHidden aria-live="polite">{copied}</VisuallyHidden>
      <StageLine
        description={description}
        access={steps.access}
        error={error}
        sentence={sentence}
        signIn={signIn}
        // Beside what it is about, which stays true.
        notice={copied}
      />
      {others.slice(0, fitting).map((verb) => (
        <SideButton
          key={verb}
          verb={verb}
          label={labelOf(verb)}
          // One filled button: beside a connection or a sign-in, nothing else is the next step.
          filled={
            (main === 'disconnect' || main === 'cancelSignIn' || verb === 'openPage') &&
            verb === others[0] &&
            verb !== 'disconnect'
          }
          loading={steps.isBusy(verb)}
          act={act}
        />
      ))}
      {others.length > fitting && (
        <MoreMenu
          label={t('error.more')}
          className={styles.more}
          entries={others.slice(fitting).map((verb) => ({
            key: verb,
            label: labelOf(verb),
            onChoose: () => {
              act(verb)
            },
          }))}
        />
      )}
      {hasDetails && <DetailsButton />}
    </div>
  )
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
