import { IconBuildingCommunity, IconNews } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Empty } from '../../ui/empty'

const icons = { news: IconNews, organization: IconBuildingCommunity } as const

/** Says plainly that a service around the VPN is not shown by this version. */
export function LaterView({ service }: { readonly service: keyof typeof icons }): ReactNode {
  const { t } = useTranslation()
  return (
    <>
      <h1>{t(`navigation.${service}`)}</h1>
      <Empty icon={icons[service]}>
        <p>{t(`services.${service}Text`)}</p>
        <p>{t('services.later')}</p>
      </Empty>
    </>
  )
}
