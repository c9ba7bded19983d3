import { Button } from '@mantine/core'
import { useEffect, useId, useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { InstanceSlice } from '../../../contract/state'
import { useBridge } from '../../store/context'
import { CommandButton } from '../../ui/command-button'
import { loadedLater } from '../../ui/loaded-later'
import page from '../../ui/page.module.css'
import { Mark } from '../connection/mark'
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

  async function logIn(instanceId: string): Promise<void> {
    await bridge.run('logIn', { instanceId })
    onBusy(false)
  }

  return (
    // Screen readers announce the title when the focus enters the section.
    <section className={styles.welcome} aria-labelledby={titleId}>
      <Mark tone="off" />
      <h1 id={titleId}>{t(waiting === undefined ? 'directory.question' : 'instance.waitingTitle')}</h1>
      <p id={hintId} className={page.quiet}>
        {t(waiting === undefined ? 'directory.hint' : 'instance.waiting')}
      </p>
      {waiting === undefined ? (
        <FindService
          field={field}
          labelledBy={{ question: titleId, hint: hintId }}
          onBusy={onBusy}
          onAdded={(instanceId) => void logIn(instanceId)}
        />
      ) : (
        <Waiting instanceId={waiting.id} />
      )}
    </section>
  )
}

/** The browser has the next step. Back takes the service away again, which was added a moment ago. */
function Waiting({ instanceId }: { readonly instanceId: string }): ReactNode {
  const { t } = useTranslation()
  const bridge = useBridge()
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
      <Button ref={back} variant="default" onClick={() => void bridge.run('removeInstance', { instanceId })}>
        {t('instance.back')}
      </Button>
    </div>
  )
}
