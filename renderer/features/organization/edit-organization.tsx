import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { addressLines } from '../../../contract/choices'
import type { OrganizationAddress, OrganizationItem } from '../../../contract/organizations'
import { useCommand } from '../../store/context'
import { CommandForm } from '../../ui/command-form'
import page from '../../ui/page.module.css'
import { TextField } from '../../ui/text-field'
import { useOrganization, placeOf } from './use-organization'

/** Form that edits the name of an organization, and its address if that is visible. */
export function EditOrganization({ organization }: { readonly organization: OrganizationItem }): ReactNode {
  const { t } = useTranslation()
  const { instanceId, which, show, choose, refresh } = useOrganization()
  // It may be fetched again while the person types, changed by somebody else.
  const [before] = useState(organization)
  const [name, setName] = useState(before.name)
  const [address, setAddress] = useState(before.address)
  const update = useCommand('updateOrganization')

  async function save(): Promise<void> {
    const result = await update.run({
      instanceId,
      place: placeOf(which, organization),
      name: name === before.name ? undefined : name,
      ...addressChanges(before.address, address),
    })
    if (!result.ok) return
    choose({ kind: 'about' })
    // The organization can no longer be found by its old name.
    if (which.by === 'name') show({ by: 'id', orgId: organization.orgId })
    else await refresh()
  }

  return (
    <CommandForm
      title={t('organization.edit.title', { name: organization.name })}
      command={update}
      isReady={name.trim() !== ''}
      submit={t('organization.save')}
      cancel={{
        label: t('organization.cancel'),
        run() {
          choose({ kind: 'about' })
        },
      }}
      onSubmit={save}
    >
      <TextField label={t('organization.edit.name')} value={name} maxLength={1024} onType={setName} />
      {address === undefined ? (
        <p className={page.quiet}>{t('organization.edit.hiddenAddress')}</p>
      ) : (
        addressLines.map((line) => (
          <TextField
            key={line}
            label={t(`organization.edit.${line}`)}
            value={address[line] ?? ''}
            maxLength={1024}
            onType={(text) => {
              setAddress({ ...address, [line]: text })
            }}
          />
        ))
      )}
    </CommandForm>
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
