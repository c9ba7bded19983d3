import { Button, TextInput } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { addressLines } from '../../../contract/choices'
import type { OrganizationAddress, OrganizationItem } from '../../../contract/organizations'
import { useCommand } from '../../store/context'
import { ErrorNote } from '../../ui/error-note'
import page from '../../ui/page.module.css'
import styles from './organization.module.css'
import { placeOf } from './organization-store'
import { useOrganization } from './use-organization'

/** Form that edits the name of an organization, and its address if that is visible. */
export function EditOrganization({ organization }: { readonly organization: OrganizationItem }): ReactNode {
  const { t } = useTranslation()
  const { store, browsing } = useOrganization()
  const { instanceId = '', which } = browsing
  const [name, setName] = useState(organization.name)
  const [address, setAddress] = useState(organization.address)
  const update = useCommand('updateOrganization')

  async function save(): Promise<void> {
    const result = await update.run({
      instanceId,
      place: placeOf(which, organization),
      ...(name === organization.name ? {} : { name }),
      ...addressChanges(organization.address, address),
    })
    if (!result.ok) return
    store.choose({ kind: 'about' })
    // The organization can no longer be found by its old name.
    if (which.by === 'name') store.show({ by: 'id', orgId: organization.orgId })
    else await store.refresh()
  }

  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (!update.pending) void save()
      }}
    >
      <h2 className={styles.name}>
        <bdi>{t('organization.edit.title', { name: organization.name })}</bdi>
      </h2>
      <TextInput
        label={t('organization.edit.name')}
        value={name}
        maxLength={1024}
        onChange={(event) => {
          setName(event.currentTarget.value)
        }}
      />
      {address === undefined ? (
        <p className={page.quiet}>{t('organization.edit.hiddenAddress')}</p>
      ) : (
        addressLines.map((line) => (
          <TextInput
            key={line}
            label={t(`organization.edit.${line}`)}
            value={address[line] ?? ''}
            maxLength={1024}
            onChange={(event) => {
              setAddress({ ...address, [line]: event.currentTarget.value })
            }}
          />
        ))
      )}
      {update.error && <ErrorNote error={update.error} />}
      <div className={styles.buttons}>
        <Button type="submit" loading={update.pending} disabled={name.trim() === ''}>
          {t('organization.save')}
        </Button>
        <Button
          variant="default"
          onClick={() => {
            store.choose({ kind: 'about' })
          }}
        >
          {t('organization.cancel')}
        </Button>
      </div>
    </form>
  )
}

function addressChanges(
  before: OrganizationAddress | undefined,
  after: OrganizationAddress | undefined,
): { readonly address?: OrganizationAddress } {
  const changed = addressLines.filter((line) => (after?.[line] ?? '') !== (before?.[line] ?? ''))
  if (changed.length === 0) return {}
  return { address: Object.fromEntries(changed.map((line) => [line, after?.[line] ?? ''])) }
}
