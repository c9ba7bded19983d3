import { useId, useRef, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import logo from '../../../build/icons/app.svg?inline'
import { loadedLater } from '../../ui/loaded-later'
import page from '../../ui/page.module.css'
import styles from './instances.module.css'

/** Its list of results needs a seventh of the page's script. */
const FindService = loadedLater(async () => (await import('./find-service')).FindService)

/** The first screen: one question. `onBusy` is told while a service is being added, so that this screen stays until then. */
export function Welcome({
  onBusy,
  onAdded,
}: {
  readonly onBusy: (isBusy: boolean) => void
  readonly onAdded: (instanceId: string) => void
}): ReactNode {
  const { t } = useTranslation()
  const titleId = useId()
  const hintId = useId()
  const field = useRef<HTMLInputElement>(null)
  /** Asks for the address of the VPN only. */
  const [isExact, setExact] = useState(false)

  return (
    // Screen readers announce the title when the focus enters the section.
    <section className={styles.welcome} aria-labelledby={titleId}>
      <img src={logo} alt="" width={56} height={56} />
      <h1 id={titleId}>{t(isExact ? 'directory.exact' : 'directory.question')}</h1>
      <p id={hintId} className={page.quiet}>
        {t(isExact ? 'directory.exactHint' : 'directory.hint')}
      </p>
      <FindService
        field={field}
        labelledBy={{ question: titleId, hint: hintId }}
        isExact={isExact}
        onExact={setExact}
        onBusy={onBusy}
        onAdded={onAdded}
      />
    </section>
  )
}
