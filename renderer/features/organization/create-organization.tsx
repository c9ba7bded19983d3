import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useCommand } from '../../store/context'
import { CommandForm } from '../../ui/command-form'
import { TextField } from '../../ui/text-field'
import { useOrganization } from './use-organization'

/** Form that creates an organization and then shows it. */
export function CreateOrganization({ onCancel }: { readonly onCancel: () => void }): ReactNode {
  const { t } = useTranslation()
  const { instanceId, show } = useOrganization()
  const [name, setName] = useState('')
  const create = useCommand('createOrganization')

  async function submit(): Promise<void> {
    const result = await create.run({ instanceId, name })
    if (!result.ok) return
    const { orgId } = result.value
    const done = t('organization.create.done', { name: name.trim() })
    show(orgId === undefined ? { by: 'name', name: name.trim() } : { by: 'id', orgId }, done)
  }

  return (
    <CommandForm
      title={t('organization.create.title')}
      command={create}
      isReady={name.trim() !== ''}
      submit={t('organization.create.confirm')}
      cancel={{ label: t('organization.cancel'), run: onCancel }}
      onSubmit={submit}
    >
      <TextField label={t('organization.create.name')} value={name} maxLength={1024} onType={setName} />
    </CommandForm>
  )
}
