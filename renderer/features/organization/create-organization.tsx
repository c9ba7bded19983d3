import { Button, TextInput } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useCommand } from '../../store/context'
import { ErrorNote } from '../../ui/error-note'
import styles from './organization.module.css'
import { useOrganization } from './use-organization'

/** Form that creates an organization and then shows it. */
export function CreateOrganization({ onCancel }: { readonly onCancel: () => void }): ReactNode {
  const { t } = useTranslation()
  const { store, browsing } = useOrganization()
  const { instanceId = '' } = browsing
  const [name, setName] = useState('')
  const create = useCommand('createOrganization')

  async function submit(): Promise<void> {
    const result = await create.run({ instanceId, name })
    if (!result.ok) return
    const { orgId } = result.value
    const done = t('organization.create.done', { name: name.trim() })
    store.show(orgId === undefined ? { by: 'name', name: name.trim() } : { by: 'id', orgId }, done)
  }

  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (!create.pending) void submit()
      }}
    >
      <h2>{t('organization.create.title')}</h2>
      <TextInput
        label={t('organization.create.name')}
        value={name}
        maxLength={1024}
        onChange={(event) => {
          setName(event.currentTarget.value)
        }}
      />
      {create.error && <ErrorNote error={create.error} />}
      <div className={styles.buttons}>
        <Button type="submit" loading={create.pending} disabled={name.trim() === ''}>
          {t('organization.create.confirm')}
        </Button>
        <Button variant="default" onClick={onCancel}>
          {t('organization.cancel')}
        </Button>
      </div>
    </form>
  )
}
