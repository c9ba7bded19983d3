import { Button } from '@mantine/core'
import { IconSearch, IconUserPlus, IconUsers } from '@tabler/icons-react'
import { useCallback, useMemo, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { OrganizationItem, OrganizationUserItem } from '../../../contract/organizations'
import { Empty } from '../../ui/empty'
import { ListRow, rowHeight } from '../../ui/list-row'
import { Loading } from '../../ui/loading'
import page from '../../ui/page.module.css'
import { TextField } from '../../ui/text-field'
import { VirtualList } from '../../ui/virtual-list'
import { findUsers, initials } from './find-users'
import styles from './organization.module.css'
import { Trouble } from './trouble'
import { useRoleText } from './role-select'
import { useOrganization } from './use-organization'

/** Users of an organization. */
export function UserList({ organization }: { readonly organization: OrganizationItem }): ReactNode {
  const { t } = useTranslation()
  const { users, unreadable, usersFailure, loading, search, setSearch, choose } = useOrganization()
  return (
    <>
      <div className={styles.searchLine}>
        <TextField
          aria-label={t('organization.users.search')}
          placeholder={t('organization.users.searchHint')}
          leftSection={<IconSearch size={16} aria-hidden />}
          value={search}
          maxLength={256}
          onType={setSearch}
        />
        <Button
          variant="default"
          leftSection={<IconUserPlus size={16} aria-hidden />}
          onClick={() => {
            choose({ kind: 'add-user' })
          }}
        >
          {t('organization.add.open')}
        </Button>
      </div>
      {usersFailure && <Trouble failure={usersFailure} />}
      {users === undefined && usersFailure === undefined && loading && (
        <Loading label={t('organization.loadingUsers')} />
      )}
      {users !== undefined && unreadable > 0 && (
        <p role="status" className={styles.count}>
          {t('organization.users.unreadable', { unreadable })}
        </p>
      )}
      {users?.length === 0 && unreadable === 0 && (
        <Empty icon={IconUsers}>
          <h2>{t('organization.users.none')}</h2>
          <p>{t('organization.users.noneText')}</p>
        </Empty>
      )}
      {users !== undefined && users.length > 0 && <UserRows users={users} organization={organization} />}
    </>
  )
}

function UserRows({
  users,
  organization,
}: {
  readonly users: readonly OrganizationUserItem[]
  readonly organization: OrganizationItem
}): ReactNode {
  const { t } = useTranslation()
  const { instanceId, which, search, chosen, choose } = useOrganization()
  const placeKey = JSON.stringify(['users', instanceId, which, search])
  const roleText = useRoleText()
  const found = useMemo(() => findUsers(users, search, roleText), [users, search, roleText])
  const rowKey = useCallback((index: number) => found[index]?.userId ?? index, [found])

  function row(index: number): ReactNode {
    const user = found[index]
    if (user === undefined) return null
    const { userId, login, email, role } = user
    return (
      <ListRow
        icon={<Avatar login={login} />}
        title={login}
        about={email}
        end={roleText(role)}
        isChosen={chosen?.kind === 'user' && chosen.userId === userId}
        onOpen={() => {
          choose({ kind: 'user', userId })
        }}
      />
    )
  }

  return (
    <>
      <p className={styles.count} role="status">
        {found.length === users.length
          ? t('organization.users.count', { count: users.length })
          : t('organization.users.found', { found: found.length, count: users.length })}
      </p>
      {found.length === 0 && <p className={page.quiet}>{t('organization.users.noneFound')}</p>}
      <VirtualList
        key={placeKey}
        label={t('organization.users.list', { name: organization.name })}
        count={found.length}
        rowHeight={rowHeight}
        rowKey={rowKey}
        row={row}
        placeKey={placeKey}
      />
    </>
  )
}

/** Initials of a user. Pictures aren't fetched. */
export function Avatar({ login }: { readonly login: string }): ReactNode {
  return (
    <span className={styles.avatar} aria-hidden>
      {initials(login)}
    </span>
  )
}
