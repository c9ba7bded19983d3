import { Button, TextInput } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { OrganizationItem } from '../../../contract/organizations'
import { useCommand } from '../../store/context'
import { ErrorNote } from '../../ui/error-note'
import styles from './organization.module.css'
import { placeOf } from './organization-store'
import { RoleSelect } from './role-select'
import { useOrganization } from './use-organization'

/** Form that adds users to an organization. Stays open for the next user. */
export function AddUser({
  organization,
  onCancel,
}: {
  readonly organization: OrganizationItem
  readonly onCancel: () => void
}): ReactNode {
  const { t } = useTranslation()
  const { store, browsing } = useOrganization()
  const { instanceId = '', which } = browsing
  const [login, setLogin] = useState('')
  const [role, setRole] = useState('Viewer')
  const add = useCommand('addOrganizationUser')

  async function submit(): Promise<void> {
    store.tell(undefined)
    const loginOrEmail = login.trim()
    const result = await add.run({ instanceId, place: placeOf(which, organization), loginOrEmail, role })
    if (!result.ok) return
    setLogin('')
    store.tell(t('organization.add.done', { login: loginOrEmail }))
    await store.refresh()
  }

  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (!add.pending) void submit()
      }}
    >
      <h2>{t('organization.add.title')}</h2>
      <TextInput
        label={t('organization.add.login')}
        description={t('organization.add.loginHint')}
        value={login}
        maxLength={1024}
        autoCapitalize="off"
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => {
          setLogin(event.currentTarget.value)
        }}
      />
      <RoleSelect role={role} onChoose={setRole} />
      {add.error && <ErrorNote error={add.error} />}
      <div className={styles.buttons}>
        <Button type="submit" loading={add.pending} disabled={login.trim() === ''}>
          {t('organization.add.confirm')}
        </Button>
        <Button variant="default" onClick={onCancel}>
          {t('organization.cancel')}
        </Button>
      </div>
    </form>
  )
}
