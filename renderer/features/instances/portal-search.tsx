import { Button } from '@mantine/core'
import { useEffect, useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CommandButton } from '../../ui/command-button'
import page from '../../ui/page.module.css'
import styles from './instances.module.css'

/** Asks whether a portal that was found is the person's. */
export function FoundPortal({
  address,
  isAdding,
  onYes,
  onNo,
}: {
  readonly address: string
  readonly isAdding: boolean
  readonly onYes: (address: string) => void
  readonly onNo: () => void
}): ReactNode {
  const { t } = useTranslation()
  const yes = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    yes.current?.focus()
  }, [])
  return (
    <div className={styles.answer} role="group" aria-labelledby="found-portal">
      <p id="found-portal" role="status">
        {t('directory.portal', { host: new URL(address).host })}
      </p>
      <div className={page.buttons}>
        <Button
          ref={yes}
          loading={isAdding}
          onClick={() => {
            onYes(address)
          }}
        >
          {t('directory.yes')}
        </Button>
        <Button variant="default" disabled={isAdding} onClick={onNo}>
          {t('directory.no')}
        </Button>
      </div>
    </div>
  )
}

/** A text for the organization's help desk, to copy. `hosts`: where Causeway has looked. */
export function AskHelpDesk({ hosts }: { readonly hosts: readonly string[] }): ReactNode {
  const { t } = useTranslation()
  const text = [
    t('directory.help.question'),
    ...(hosts.length === 0 ? [] : [t('directory.help.looked', { hosts: hosts.join(', ') })]),
  ].join('\n\n')
  return (
    <div className={styles.answer}>
      <p className={page.quiet}>{t('directory.help.hint')}</p>
      <p className={styles.helpText}>{text}</p>
      <div className={page.buttons}>
        <CommandButton command="copyText" input={{ text }} done={t('connection.copied')}>
          {t('directory.help.copy')}
        </CommandButton>
      </div>
    </div>
  )
}
