import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CommandButton } from './command-button'

/** Copies the support report; main writes it to the clipboard. */
export function SupportReport(): ReactNode {
  const { t } = useTranslation()
  return (
    <div>
      <CommandButton
        command="copySupportReport"
        input={undefined}
        done={t('settings.supportCopied')}
        support={false}
      >
        {t('connection.copyForHelpDesk')}
      </CommandButton>
    </div>
  )
}
