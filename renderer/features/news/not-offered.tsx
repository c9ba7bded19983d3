import { Button } from '@mantine/core'
import { IconNews } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Empty } from '../../ui/empty'
import { useNewsInstance } from './use-news'

/** Says that the instance has no news service, with a link to the settings. */
export function NotOffered(): ReactNode {
  const { t } = useTranslation()
  const instance = useNewsInstance()
  return (
    <Empty icon={IconNews}>
      <h2>{t('news.notOfferedTitle')}</h2>
      <p>{t('news.notOffered', { instance })}</p>
      <Button component="a" href="#settings" variant="light">
        {t('news.toSettings')}
      </Button>
    </Empty>
  )
}
