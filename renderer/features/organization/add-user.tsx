import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { OrganizationItem } from '../../../contract/organizations'
import { useCommand } from '../../store/context'
import { CommandForm } from '../../ui/command-form'
import { TextField } from '../../ui/text-field'
import { useOrganization, placeOf } from './use-organization'
import { RoleSelect } from './role-select'

/** Form that adds users to an organization. Stays open for the next user. */
export function AddUser({
  organization,
  onCancel,
}: {
  readonly organization: OrganizationItem
  readonly onCancel: () => void
}): ReactNode {
  const { t } = useTranslation()
  const { instanceId, which, setNotice, refresh } = useOrganization()
  const [login, setLogin] = useState('')
  const [role, setRole] = useState('Viewer')
  const add = useCommand('addOrganizationUser')

  async function submit(): Promise<void> {
    setNotice(undefined)
    const loginOrEmail = login.trim()
    const result = await add.run({ instanceId, place: placeOf(which, organization), loginOrEmail, role })
    if (!result.ok) return
    // The next one may be typed already.
    setLogin((latest) => (latest === login ? '' : latest))
    setNotice(t('organization.add.done', { login: loginOrEmail }))
    await refresh()
  }

  return (
    <CommandForm
      title={t('organization.add.title')}
      command={add}
      isReady={login.trim() !== ''}
      submit={t('organization.add.confirm')}
      cancel={{ label: t('organization.cancel'), run: onCancel }}
      onSubmit={submit}
    >
      <TextField
        label={t('organization.add.login')}
        description={t('organization.add.loginHint')}
        value={login}
        maxLength={1024}
        verbatim
        onType={setLogin}
      />
      <RoleSelect role={role} onChoose={setRole} />
    </CommandForm>
  )
}
