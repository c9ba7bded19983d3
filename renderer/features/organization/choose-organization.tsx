import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { WhichOrganization } from '../../../contract/organizations'
import { ChooseOrType, type Suggestion } from '../../ui/choose-or-type'
import { useOrganization } from './organization-store'

/** Shows an organization that was shown before, or one by its number or name: services have no list of organizations. */
export function ChooseOrganization(): ReactNode {
  const { t } = useTranslation()
  const { store, browsing } = useOrganization()

  function typed(text: string): Suggestion<WhichOrganization>[] {
    const byName = {
      value: { by: 'name', name: text },
      label: text,
      about: t('organization.other.nameLabel'),
    } as const
    const byNumber = {
      value: { by: 'id', orgId: text },
      label: text,
      about: t('organization.other.numberLabel'),
    } as const
    return /^\d{1,20}$/.test(text) ? [byNumber, byName] : [byName]
  }

  return (
    <>
      <h2>{t('organization.other.title')}</h2>
      <ChooseOrType<WhichOrganization>
        label={t('organization.other.which')}
        seen={browsing.seen.map(({ orgId, name }) => ({
          value: { by: 'id', orgId },
          label: name,
          about: t('organization.number', { orgId }),
        }))}
        typed={typed}
        onChoose={(which) => {
          store.show(which)
        }}
      />
      {browsing.which.by !== 'current' && <ShowCurrent />}
    </>
  )
}

/** Button that goes back to the caller's own organization. */
export function ShowCurrent(): ReactNode {
  const { t } = useTranslation()
  const { store } = useOrganization()
  return (
    <Button
      variant="default"
      onClick={() => {
        store.show({ by: 'current' })
      }}
    >
      {t('organization.showCurrent')}
    </Button>
  )
}
