import { IconAlertTriangle, IconCircleCheck, IconCircleX, type Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { hasRemedy, hasSentence, noFacts } from '../../../contract/choices'
import type { FindingItem } from '../../../contract/doctor'
import { CommandButton } from '../../ui/command-button'
import { useErrorTexts } from '../../ui/use-error-text'
import { Copyable } from '../connection/copyable'
import styles from './doctor.module.css'

const marks: Readonly<Record<FindingItem['status'], Icon>> = {
  ok: IconCircleCheck,
  limited: IconAlertTriangle,
  missing: IconCircleX,
}

/** One requirement: its state, and what to do if it isn't met. */
export function Finding({
  finding: { name, status, code, facts, error, variant, command, page },
}: {
  readonly finding: FindingItem
}): ReactNode {
  const { t } = useTranslation()
  const textOf = useErrorTexts()
  const problem = error && textOf({ code: error, variant, details: facts })
  const Mark = marks[status]
  return (
    <li className={styles.finding}>
      <Mark size={24} stroke={1.75} className={styles.mark} data-status={status} aria-hidden />
      <div className={styles.words}>
        <p className={styles.name}>
          {t(`doctor.name.${name}`)} <span className={styles.word}>{t(`doctor.word.${status}`)}</span>
        </p>
        {hasSentence(code) && <p>{t(`doctor.what.${code}`, { ...noFacts, ...facts })}</p>}
        {problem !== undefined && <p>{problem.what}</p>}
        {hasRemedy(code) && <p>{t(`doctor.todo.${code}`)}</p>}
        {problem !== undefined && <p>{problem.todo}</p>}
        {page !== undefined && (
          <CommandButton command="openHelpPage" input={{ page }} className={styles.page} support={false}>
            {t(`doctor.page.${page}`)}
          </CommandButton>
        )}
        {command !== undefined && (
          <p className={styles.command} aria-live="polite">
            <span>{t('doctor.remedy')}</span> <Copyable text={command} />
          </p>
        )}
      </div>
    </li>
  )
}
