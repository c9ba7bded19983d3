import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { CommandOutput } from '../../../contract/commands'
import type { OrganizationItem, WhichOrganization } from '../../../contract/organizations'
import { useQueryClient } from '../../store/queries'
import { ChooseOrType, type Suggestion } from '../../ui/choose-or-type'
import { useOrganization } from './use-organization'

/** Shows an organization that was shown before, or one by its number or name: services have no list of organizations. */
export function ChooseOrganization(): ReactNode {
  const { t } = useTranslation()
  const { which, show } = useOrganization()
  const organizations = useShownOrganizations()

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
        options={organizations.map(({ orgId, name }) => ({
          value: { by: 'id', orgId },
          label: name,
          about: t('organization.number', { orgId }),
        }))}
        typed={typed}
        onChoose={(chosen) => {
          show(chosen)
        }}
      />
      {which.by !== 'current' && <ShowCurrent />}
    </>
  )
}

/** Returns the organizations of this instance that the view has shown, the last one first. */
function useShownOrganizations(): readonly OrganizationItem[] {
  const { instanceId } = useOrganization()
  const queryKey = ['showOrganization', { instanceId }]
  const found = useQueryClient().getQueriesData<CommandOutput<'showOrganization'> | null>({ queryKey })
  const byId = new Map(found.flatMap(([, each]) => (each ? [[each.data.orgId, each.data]] : [])))
  return [...byId.values()].toReversed()
}

/** Button that goes back to the caller's own organization. */
export function ShowCurrent(): ReactNode {
  const { t } = useTranslation()
  const { show } = useOrganization()
  return (
    <Button
      variant="default"
      onClick={() => {
        show({ by: 'current' })
      }}
    >
      {t('organization.showCurrent')}
    </Button>
  )
}
