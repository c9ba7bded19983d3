import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconUserMinus } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { OrganizationItem, OrganizationUserItem } from '../../../contract/organizations'
import { useCommand } from '../../store/context'
import { DetailsHead } from '../../ui/browser-view'
import { CommandForm } from '../../ui/command-form'
import { Fact, FactList } from '../../ui/fact-list'
import { Question } from '../../ui/question'
import { useDay } from '../../ui/use-day'
import { Avatar } from './user-list'
import styles from './organization.module.css'
import { useOrganization, placeOf } from './use-organization'
import { RoleSelect, useRoleText } from './role-select'

interface User {
  readonly organization: OrganizationItem
  readonly user: OrganizationUserItem
}

/** A user of an organization: their details, a role to choose, and Remove. */
export function UserDetails({ organization, user }: User): ReactNode {
  const { t } = useTranslation()
  const roleText = useRoleText()
  const { userId, login, email, role, lastSeenAt } = user
  const day = useDay('long')
  return (
    <>
      <DetailsHead icon={<Avatar login={login} />} title={login} text={roleText(role)} />
      <FactList>
        <Fact name={t('organization.users.email')}>
          <bdi>{email}</bdi>
        </Fact>
        <Fact name={t('organization.users.number')}>{userId}</Fact>
        {lastSeenAt !== undefined && <Fact name={t('organization.users.lastSeen')}>{day(lastSeenAt)}</Fact>}
      </FactList>
      <ChangeRole key={role} organization={organization} user={user} />
      <RemoveUser organization={organization} user={user} />
    </>
  )
}

function ChangeRole({ organization, user: { userId, login, role } }: User): ReactNode {
  const { t } = useTranslation()
  const { instanceId, which, setNotice, refresh } = useOrganization()
  const [wanted, setWanted] = useState(role)
  const change = useCommand('setOrganizationRole')

  async function submit(): Promise<void> {
    setNotice(undefined)
    const place = placeOf(which, organization)
    const result = await change.run({ instanceId, place, userId, role: wanted })
    if (!result.ok) return
    setNotice(t('organization.users.roleChanged', { login }))
    await refresh()
  }

  return (
    <CommandForm
      command={change}
      isReady={wanted !== role}
      submit={t('organization.users.changeRole')}
      variant="default"
      inline
      onSubmit={submit}
    >
      <RoleSelect role={wanted} current={role} onChoose={setWanted} />
    </CommandForm>
  )
}

function RemoveUser({ organization, user: { userId, login } }: User): ReactNode {
  const { t } = useTranslation()
  const { instanceId, which, choose, refresh } = useOrganization()
  const [asking, { open: ask, close: keep }] = useDisclosure()
  const remove = useCommand('removeOrganizationUser')

  async function submit(): Promise<void> {
    const result = await remove.run({ instanceId, place: placeOf(which, organization), userId })
    if (!result.ok) return
    choose(undefined, t('organization.users.removed', { login }))
    await refresh()
  }

  if (!asking) {
    return (
      <Button
        data-danger
        variant="subtle"
        className={styles.atStart}
        leftSection={<IconUserMinus size={16} aria-hidden />}
        onClick={ask}
      >
        {t('organization.users.remove')}
      </Button>
    )
  }
  return (
    <Question
      question={t('organization.users.removeQuestion', { login, name: organization.name })}
      error={remove.error}
      confirm={t('organization.users.removeConfirm', { login })}
      keep={t('organization.users.keep')}
      pending={remove.pending}
      onConfirm={() => void submit()}
      onKeep={keep}
    />
  )
}
