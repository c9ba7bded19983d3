import { Button } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useFetched } from '../../store/queries'
import { ErrorNote } from '../../ui/error-note'
import { Loading } from '../../ui/loading'
import page from '../../ui/page.module.css'
import { SupportReport } from '../../ui/support-report'
import styles from './doctor.module.css'
import { Finding } from './finding'

/** Severities, worst first. */
const severities = ['missing', 'limited', 'ok'] as const

/** Requirements of this computer, checked when the view opens and on request. */
export function DoctorView(): ReactNode {
  const { t } = useTranslation()
  const { data, error, isFetching: checking, refetch } = useFetched('runDoctor', undefined, { gcTime: 0 })
  // Findings from before a failed check may no longer be true.
  const findings = error === null ? data : null
  const sorted = severities.flatMap((severity) =>
    (findings ?? []).filter(({ status }) => status === severity),
  )
  const worst = sorted[0]?.status
  return (
    <>
      <div>
        <Button
          component="a"
          href="#settings"
          variant="subtle"
          className={page.textAtStart}
          leftSection={<IconArrowLeft size={16} aria-hidden className={styles.back} />}
        >
          {t('settings.title')}
        </Button>
        <h1>{t('navigation.doctor')}</h1>
        <p className={page.quiet}>{t('doctor.text')}</p>
      </div>
      <section className={page.card} aria-label={t('navigation.doctor')}>
        <div className={page.head}>
          <p role="status" className={styles.summary}>
            {checking ? t('doctor.checking') : worst !== undefined && t(`doctor.summary.${worst}`)}
          </p>
          <Button loading={checking} onClick={() => void refetch()}>
            {t('doctor.again')}
          </Button>
        </div>
        {error && <ErrorNote error={error.report} support={false} />}
        {findings === null && checking && <Loading label={t('doctor.checking')} />}
        {sorted.length > 0 && (
          <ul aria-label={t('navigation.doctor')} aria-busy={checking}>
            {sorted.map((finding) => (
              <Finding key={finding.name} finding={finding} />
            ))}
          </ul>
        )}
      </section>
      <section className={page.card}>
        <h2>{t('settings.support')}</h2>
        <p className={page.quiet}>{t('settings.supportText')}</p>
        <SupportReport />
      </section>
    </>
  )
}
