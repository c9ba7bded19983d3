import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { UserItem } from '../../../contract/news'
import { useFetched } from '../../store/queries'
import { Choice } from '../../ui/choice'
import { ErrorNote } from '../../ui/error-note'
import { Loading } from '../../ui/loading'
import { Facts } from '../../ui/facts'
import page from '../../ui/page.module.css'
import article from './article.module.css'
import { EntriesAndDetails } from './entries-and-details'
import styles from './news.module.css'
import { Picture } from './picture'
import { useDay } from '../../ui/use-day'
import { useEntries, useNewsInstance, useNewsState, useNewsStore, usePeople } from './use-news'
import { WebLink } from './web-link'

/** A member of the community, by default the user, with their posts. */
export function AccountSection(): ReactNode {
  const { t } = useTranslation()
  const instanceId = useNewsInstance()
  const { userId } = useNewsState()
  const { data: user, isFetching, error } = useFetched('showContentUser', { instanceId, userId })
  const data = user?.data
  const list = useEntries({ list: 'posts', userId })
  const notOffered = error?.report.code === 'content/not-offered'
  return (
    <EntriesAndDetails
      section="account"
      list={list}
      label={t('news.listOf.posts', { name: data?.name ?? '' })}
      none={{ title: t('news.none.postsTitle'), text: t('news.none.postsText') }}
      filters={
        <div className={styles.account}>
          <ChooseUser userId={userId} name={data?.name} />
          {data && <UserCard user={data} />}
          {data === undefined && isFetching && <Loading label={t('news.loading')} />}
          {error && !isFetching && !notOffered && <ErrorNote error={error.report} />}
        </div>
      }
    />
  )
}

/** Chooses among the people whose entries were shown. */
function ChooseUser({
  userId,
  name,
}: {
  readonly userId: string | undefined
  readonly name: string | undefined
}): ReactNode {
  const { t } = useTranslation()
  const store = useNewsStore()
  const seen = usePeople()
  const isSeen = userId === undefined || seen.some(({ id }) => id === userId)
  const people = isSeen ? seen : [{ id: userId, name: name ?? userId }, ...seen]
  if (people.length === 0) return null
  return (
    <Choice
      label={t('news.user')}
      options={[
        { value: '', label: t('news.ownAccount') },
        ...people.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      value={userId ?? ''}
      onChoose={(id) => {
        store.showUser(id === '' ? undefined : id)
      }}
    />
  )
}

function UserCard({ user }: { readonly user: UserItem }): ReactNode {
  const { t, i18n } = useTranslation()
  const day = useDay()
  const { name, picture, date, isClubMember, karma, socialAccounts } = user
  const facts = [
    date === undefined ? undefined : t('news.memberSince', { date: day(date * 1000) }),
    isClubMember ? t('news.clubMember') : undefined,
    karma === undefined
      ? undefined
      : t('news.rating', { number: new Intl.NumberFormat(i18n.language).format(karma) }),
  ]
  return (
    <div className={article.card}>
      {picture && <Picture picture={picture} alt="" className={styles.avatar} />}
      <div className={article.cardText}>
        <h2>
          <bdi>{name}</bdi>
        </h2>
        <p className={page.quiet}>
          <Facts facts={facts} />
        </p>
        {socialAccounts.length > 0 && (
          <ul aria-label={name} className={styles.accounts}>
            {socialAccounts.map((account, index) => (
              <li key={index}>
                {account.page ? <WebLink url={account.page.url}>{account.name}</WebLink> : account.name}
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  )
}
