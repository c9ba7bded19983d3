import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { AskDialog } from '../../ui/ask-dialog'

/** Says that renewing ends the connection, before it does. */
export function RenewQuestion({ onAnswer }: { readonly onAnswer: (renews: boolean) => void }): ReactNode {
  const { t } = useTranslation()
  return (
    <AskDialog
      question={t('connection.expiry.endsTunnel')}
      confirm={t('connection.expiry.endAndRenew')}
      keep={t('instance.notNow')}
      onAnswer={onAnswer}
    />
  )
}
