import { Button, TextInput } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { OrganizationItem } from '../../../contract/organizations'
import { useCommand } from '../../store/context'
import { ErrorNote } from '../../ui/error-note'
import { isSameName } from './find-users'
import styles from './organization.module.css'
import { useOrganization } from './use-organization'

/** Form that deletes an organization after its name was typed. */
export function DeleteOrganization({ organization }: { readonly organization: OrganizationItem }): ReactNode {
  const { t } = useTranslation()
  const { store, browsing } = useOrganization()
  const { instanceId = '' } = browsing
  const { orgId, name } = organization
  const [typed, setTyped] = useState('')
  const remove = useCommand('deleteOrganization')
  const confirmed = isSameName(typed, name)

  async function submit(): Promise<void> {
    const result = await remove.run({ instanceId, orgId })
    if (result.ok) store.show({ by: 'current' }, t('organization.delete.done', { name }))
  }

  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (confirmed && !remove.pending) void submit()
      }}
    >
      <h2 className={styles.name}>
        <bdi>{t('organization.delete.title', { name })}</bdi>
      </h2>
      <p>{t('organization.delete.text')}</p>
      <TextInput
        label={t('organization.delete.type')}
        description={<bdi>{name}</bdi>}
        value={typed}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
        }}
      />
      {remove.error && <ErrorNote error={remove.error} />}
      <div className={styles.buttons}>
        <Button type="submit" loading={remove.pending} disabled={!confirmed}>
          {t('organization.delete.confirm')}
        </Button>
        <Button
          variant="default"
          onClick={() => {
            store.choose({ kind: 'about' })
          }}
        >
          {t('organization.delete.keep')}
        </Button>
      </div>
    </form>
  )
}
