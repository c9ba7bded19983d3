import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { OrganizationItem } from '../../../contract/organizations'
import { useCommand } from '../../store/context'
import { CommandForm } from '../../ui/command-form'
import { TextField } from '../../ui/text-field'
import { isSameName } from './find-users'
import { useOrganization } from './use-organization'

/** Form that deletes an organization after its name was typed. */
export function DeleteOrganization({ organization }: { readonly organization: OrganizationItem }): ReactNode {
  const { t } = useTranslation()
  const { instanceId, show, choose } = useOrganization()
  const { orgId, name } = organization
  const [typed, setTyped] = useState('')
  const remove = useCommand('deleteOrganization')

  async function submit(): Promise<void> {
    const result = await remove.run({ instanceId, orgId })
    if (result.ok) show({ by: 'current' }, t('organization.delete.done', { name }))
  }

  return (
    <CommandForm
      title={t('organization.delete.title', { name })}
      command={remove}
      isReady={isSameName(typed, name)}
      submit={t('organization.delete.confirm')}
      danger
      cancel={{
        label: t('organization.delete.keep'),
        run() {
          choose({ kind: 'about' })
        },
      }}
      onSubmit={submit}
    >
      <p>{t('organization.delete.text')}</p>
      <TextField
        label={t('organization.delete.type')}
        description={<bdi>{name}</bdi>}
        value={typed}
        autoComplete="off"
        spellCheck={false}
        onType={setTyped}
      />
    </CommandForm>
  )
}
