import { Button, Progress } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { isUnderWay } from '../../../contract/connection-summary'
import type { UpdateSlice } from '../../../contract/updates'
import { useAppState, useCommand } from '../../store/context'
import { CommandButton } from '../../ui/command-button'
import { ErrorNote } from '../../ui/error-note'
import { Question } from '../../ui/question'
import page from '../../ui/page.module.css'
import styles from './update-notice.module.css'

type Available = NonNullable<UpdateSlice['available']>

/** A new version: what it is, and how to get it, until the user dismisses it. */
export function UpdateNotice({ available }: { readonly available: Available }): ReactNode {
  const { t } = useTranslation()
  const { progress } = useAppState().update
  const { version, required, means } = available
  return (
    <section className={styles.notice} aria-label={t('updates.title')}>
      <div className={styles.words}>
        <p className={styles.version}>
          {progress.stage === 'ready' ? t('updates.ready', { version }) : t('updates.available', { version })}
        </p>
        {required && <p>{t('updates.required')}</p>}
        {means !== 'self' && <p>{t(`updates.how.${means}`)}</p>}
      </div>
      {progress.stage === 'failed' && <ErrorNote error={progress.error} />}
      {progress.stage === 'downloading' ? (
        <Downloading version={version} part={progress.received / progress.total} />
      ) : (
        <Choices available={available} />
      )}
    </section>
  )
}

function Downloading({
  version,
  part,
}: {
  readonly version: string
  /** From 0 to 1. */
  readonly part: number
}): ReactNode {
  const { t } = useTranslation()
  const { locale } = useAppState().wording
  const percent = new Intl.NumberFormat(locale, { style: 'percent' }).format(part)
  const label = t('updates.downloading', { version, percent })
  return (
    <div className={styles.downloading}>
      <p>{label}</p>
      <Progress value={100 * part} aria-label={label} />
      <div className={page.buttons}>
        <CommandButton command="cancelUpdate" input={undefined} size="compact-sm">
          {t('updates.cancel')}
        </CommandButton>
      </div>
    </div>
  )
}

/** The next steps. Installing while connected is asked for first. */
function Choices({ available: { means, hasNotes } }: { readonly available: Available }): ReactNode {
  const { t } = useTranslation()
  const { connection } = useAppState()
  const [asks, { open: ask, close: keep }] = useDisclosure()
  const install = useCommand('installUpdate')

  async function begin(endsConnection: boolean): Promise<void> {
    keep()
    const result = await install.run({ endsConnection })
    if (result.ok && result.value === 'connected') ask()
  }

  if (asks) {
    return (
      <Question
        question={t('updates.connected')}
        error={install.error}
        confirm={t('updates.disconnect')}
        keep={t('updates.later')}
        pending={install.pending}
        onConfirm={() => void begin(true)}
        onKeep={keep}
      />
    )
  }
  return (
    <>
      {install.error && <ErrorNote error={install.error} />}
      <div className={page.buttons}>
        {means === 'self' && (
          <Button
            variant="default"
            size="compact-sm"
            loading={install.pending}
            onClick={() => {
              if (isUnderWay(connection)) ask()
              else void begin(false)
            }}
          >
            {t('updates.install')}
          </Button>
        )}
        {hasNotes && (
          <CommandButton command="openReleaseNotes" input={undefined} variant="subtle" size="compact-sm">
            {t('updates.notes')}
          </CommandButton>
        )}
        <CommandButton command="dismissUpdate" input={undefined} variant="subtle" size="compact-sm">
          {t('notices.dismiss')}
        </CommandButton>
      </div>
    </>
  )
}
