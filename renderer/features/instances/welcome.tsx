import { Button } from '@mantine/core'
import { useEffect, useId, useRef, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import logo from '../../../build/icons/app.svg?inline'
import type { CommandResult } from '../../../contract/commands'
import type { ErrorReport } from '../../../contract/error-codes'
import type { InstanceSlice } from '../../../contract/state'
import { useBridge } from '../../store/context'
import { CommandButton } from '../../ui/command-button'
import { ErrorNote } from '../../ui/error-note'
import { loadedLater } from '../../ui/loaded-later'
import page from '../../ui/page.module.css'
import styles from './instances.module.css'

/** Its list of results needs a seventh of the page's script. */
const FindService = loadedLater(async () => (await import('./find-service')).FindService)

/**
 * The first screen: one question. Then it waits for the browser. `onBusy` is told while a service is being added and signed
 * in to, so that this screen stays until then.
 */
export function Welcome({
  waiting,
  onBusy,
}: {
  /** The service that waits for the browser. */
  readonly waiting: InstanceSlice | undefined
  readonly onBusy: (isBusy: boolean) => void
}): ReactNode {
  const { t } = useTranslation()
  const bridge = useBridge()
  const titleId = useId()
  const hintId = useId()
  const field = useRef<HTMLInputElement>(null)

  /** Asks for the address of the VPN only. */
  const [isExact, setExact] = useState(false)
  /** The service that Back removes; this screen waits for the end of that. */
  const [leaving, setLeaving] = useState<string>()
  const [problem, setProblem] = useState<ErrorReport>()
  const removal = useRef<Promise<CommandResult<'removeInstance'>>>(undefined)
  const waitingId = leaving ?? waiting?.id

  async function logIn(instanceId: string): Promise<void> {
    await bridge.run('logIn', { instanceId })
    // Back ended the login: it goes on here, also if the service couldn't be removed.
    if (removal.current === undefined) onBusy(false)
  }

  async function goBack(instanceId: string): Promise<void> {
    setProblem(undefined)
    setLeaving(instanceId)
    removal.current = bridge.run('removeInstance', { instanceId })
    const removed = await removal.current
    if (removed.ok) {
      removal.current = undefined
      setLeaving(undefined)
      onBusy(false)
    } else setProblem(removed.error)
  }

  return (
    // Screen readers announce the title when the focus enters the section.
    <section className={styles.welcome} aria-labelledby={titleId}>
      <img src={logo} alt="" width={56} height={56} />
      <h1 id={titleId}>
        {t(
          waitingId !== undefined
            ? 'instance.waitingTitle'
            : isExact
              ? 'directory.exact'
              : 'directory.question',
        )}
      </h1>
      <p id={hintId} className={page.quiet}>
        {t(waitingId !== undefined ? 'instance.waiting' : isExact ? 'directory.exactHint' : 'directory.hint')}
      </p>
      {waitingId === undefined ? (
        <FindService
          field={field}
          labelledBy={{ question: titleId, hint: hintId }}
          isExact={isExact}
          onExact={setExact}
          onBusy={onBusy}
          onAdded={(instanceId) => void logIn(instanceId)}
        />
      ) : (
        <Waiting
          instanceId={waitingId}
          isLeaving={leaving !== undefined && problem === undefined}
          onBack={() => void goBack(waitingId)}
        />
      )}
      {problem && <ErrorNote error={problem} />}
    </section>
  )
}

/** The browser has the next step. Back takes the service away again, which was added a moment ago; Cancel keeps it. */
function Waiting({
  instanceId,
  isLeaving,
  onBack,
}: {
  readonly instanceId: string
  readonly isLeaving: boolean
  readonly onBack: () => void
}): ReactNode {
  const { t } = useTranslation()
  const back = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    back.current?.focus({ preventScroll: true })
  }, [])
  return (
    <div className={styles.waitingButtons}>
      <CommandButton command="openLogInAgain" input={{ instanceId }}>
        {t('instance.openAgain')}
      </CommandButton>
      <CommandButton command="copyLogInLink" input={{ instanceId }} done={t('connection.copied')}>
        {t('instance.copyLink')}
      </CommandButton>
      <Button ref={back} variant="default" loading={isLeaving} onClick={onBack}>
        {t('instance.back')}
      </Button>
      <CommandButton command="cancelLogIn" input={{ instanceId }} disabled={isLeaving}>
        {t('instance.cancel')}
      </CommandButton>
    </div>
  )
}
