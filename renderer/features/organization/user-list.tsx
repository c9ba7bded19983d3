import { Button, TextInput } from '@mantine/core'
import { IconSearch, IconUserPlus, IconUsers } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { OrganizationItem, OrganizationUserItem } from '../../../preload/organizations-contract'
import { Empty } from '../../ui/empty'
import { Loading } from '../../ui/loading'
import page from '../../ui/page.module.css'
import { VirtualList } from '../../ui/virtual-list'
import { Avatar } from './avatar'
import { findUsers } from './find-users'
import styles from './organization.module.css'
import { Trouble } from './trouble'
import { useOrganization } from './use-organization'
import { useRoleText } from './use-role-text'

const rowHeight = 56

/** Who belongs to an organization. */
export function UserList({
  organization,
  onOpen,
}: {
  readonly organization: OrganizationItem
  readonly onOpen: (opener: HTMLElement) => void
}): ReactNode {
  const { t } = useTranslation()
  const { store, browsing } = useOrganization()
  const { users, usersError, loading, search } = browsing
  return (
    <>
      <div className={styles.searchLine}>
        <TextInput
          aria-label={t('organization.users.search')}
          placeholder={t('organization.users.searchHint')}
          leftSection={<IconSearch size={16} aria-hidden />}
          value={search}
          maxLength={256}
          onChange={(event) => {
            store.search(event.currentTarget.value)
          }}
        />
        <Button
          variant="default"
          leftSection={<IconUserPlus size={16} aria-hidden />}
          onClick={(event) => {
            onOpen(event.currentTarget)
            store.choose({ kind: 'add-user' })
          }}
        >
          {t('organization.add.open')}
        </Button>
      </div>
      {usersError && <Trouble error={usersError} />}
      {users === undefined && usersError === undefined && loading && (
        <Loading label={t('organization.loadingUsers')} />
      )}
      {users?.length === 0 && (
        <Empty icon={IconUsers}>
          <h2>{t('organization.users.none')}</h2>
          <p>{t('organization.users.noneText')}</p>
        </Empty>
      )}
      {users !== undefined && users.length > 0 && (
        <Found users={users} organization={organization} onOpen={onOpen} />
      )}
    </>
  )
}

function Found({
  users,
  organization,
  onOpen,
}: {
  readonly users: readonly OrganizationUserItem[]
  readonly organization: OrganizationItem
  readonly onOpen: (opener: HTMLElement) => void
}): ReactNode {
  const { t } = useTranslation()
  const { store, browsing } = useOrganization()
  const roleText = useRoleText()
  const found = findUsers(users, browsing.search, roleText)
  return (
    <>
      <p className={styles.count} role="status">
        {found.length === users.length
          ? t('organization.users.count', { count: users.length })
          : t('organization.users.found', { found: found.length, count: users.length })}
      </p>
      {found.length === 0 && <p className={page.quiet}>{t('organization.users.noneFound')}</p>}
      <VirtualList
        // Another search starts at its top.
        key={JSON.stringify([browsing.instanceId, browsing.which, browsing.search])}
        label={t('organization.users.list', { name: organization.name })}
        count={found.length}
        rowHeight={rowHeight}
        rowKey={(index) => found[index]?.userId ?? index}
        row={(index) => <Row user={found[index]} onOpen={onOpen} />}
        place={browsing.place}
        onPlace={(place) => {
          store.scrolledTo(place)
        }}
      />
    </>
  )
}

function Row({
  user,
  onOpen,
}: {
  readonly user: OrganizationUserItem | undefined
  readonly onOpen: (opener: HTMLElement) => void
}): ReactNode {
  const { store, browsing } = useOrganization()
  const roleText = useRoleText()
  if (user === undefined) return null
  const { userId, login, email, role } = user
  const isChosen = browsing.chosen?.kind === 'user' && browsing.chosen.userId === userId
  return (
    <button
      type="button"
      data-row-control
      className={styles.row}
      aria-current={isChosen ? 'true' : undefined}
      onClick={(event) => {
        onOpen(event.currentTarget)
        store.choose({ kind: 'user', userId })
      }}
    >
      <Avatar login={login} />
      <span className={styles.rowText}>
        <bdi className={styles.rowTitle}>{login}</bdi>
        <bdi className={styles.rowQuiet}>{email}</bdi>
      </span>
      <span className={styles.rowRole}>{roleText(role)}</span>
    </button>
  )
}
