import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { everything } from './attachments-store'
import { useAttachments } from './use-attachments'

/** Button that removes the filter. */
export function ShowAll(): ReactNode {
  const { t } = useTranslation()
  const { store } = useAttachments()
  return (
    <Button
      variant="default"
      onClick={() => {
        store.ask(everything)
      }}
    >
      {t('attachments.showAll')}
    </Button>
  )
}
