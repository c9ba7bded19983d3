import { Button } from '@mantine/core'
import { IconStethoscope } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import page from '../../ui/page.module.css'
import { SupportReport } from '../../ui/support-report'
import { SettingsSection } from './settings-section'

/** Help for problems: diagnostics and the support report. */
export function Support(): ReactNode {
  const { t } = useTranslation()
  return (
    <SettingsSection name="support" title={t('settings.support')}>
      <p className={page.quiet}>{t('doctor.linkText')}</p>
      <div>
        <Button
          component="a"
          href="#doctor"
          variant="default"
          leftSection={<IconStethoscope size={20} stroke={1.75} aria-hidden />}
        >
          {t('navigation.doctor')}
        </Button>
      </div>
      <p className={page.quiet}>{t('settings.supportText')}</p>
      <SupportReport />
    </SettingsSection>
  )
}
