import { Button } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { addressLines } from '../../../contract/choices'
import type { OrganizationItem } from '../../../contract/organizations'
import { FactList } from '../../ui/fact-list'
import page from '../../ui/page.module.css'
import styles from './organization.module.css'
import { useOrganization } from './use-organization'

/** Details of an organization, with Edit and Delete. */
export function About({ organization }: { readonly organization: OrganizationItem }): ReactNode {
  const { t } = useTranslation()
  const { choose } = useOrganization()
  const { name, address } = organization
  const lines = addressLines.map((line) => address?.[line] ?? '').filter((text) => text !== '')
  return (
    <>
      <h2 className={styles.name}>
        <bdi>{t('organization.about.title', { name })}</bdi>
      </h2>
      <FactList>
        <div>
          <dt>{t('organization.about.address')}</dt>
          {address === undefined && <dd className={page.quiet}>{t('organization.about.hiddenAddress')}</dd>}
          {address !== undefined && lines.length === 0 && (
            <dd className={page.quiet}>{t('organization.about.noAddress')}</dd>
          )}
          {lines.map((line, index) => (
            <dd key={index}>
              <bdi>{line}</bdi>
            </dd>
          ))}
        </div>
      </FactList>
      <div className={styles.buttons}>
        <Button
          variant="default"
          leftSection={<IconPencil size={16} aria-hidden />}
          onClick={() => {
            choose({ kind: 'edit' })
          }}
        >
          {t('organization.about.edit')}
        </Button>
        <Button
          data-danger
          variant="subtle"
          leftSection={<IconTrash size={16} aria-hidden />}
          onClick={() => {
            choose({ kind: 'delete' })
          }}
        >
          {t('organization.about.delete')}
        </Button>
      </div>
    </>
  )
}
