import { Button } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { UserItem } from '../../../contract/news'
import { CommandForm } from '../../ui/command-form'
import { ErrorNote } from '../../ui/error-note'
import { Loading } from '../../ui/loading'
import { Facts } from '../../ui/facts'
import page from '../../ui/page.module.css'
import { TextField } from '../../ui/text-field'
import article from './article.module.css'
import { EntriesAndDetails } from './entries-and-details'
import styles from './news.module.css'
import { Picture } from './picture'
import { useDay } from '../../ui/use-day'
import { useAnswer, useNewsInstance, useNewsState, useNewsStore } from './use-news'
import { WebLink } from './web-link'

/** A member of the community, by default the user, with their posts. */
export function AccountSection(): ReactNode {
  const { t } = useTranslation()
  const store = useNewsStore()
  const instanceId = useNewsInstance()
  const { userId } = useNewsState()
  const user = store.user(instanceId, userId)
  const { data, status, error } = useAnswer(user)
  const of = { userId }
  const list = store.entries(instanceId, { list: 'posts', ...of })
  const notOffered = error?.code === 'content/not-offered'
  return (
    <EntriesAndDetails
      key={userId ?? 'own'}
      section="account"
      list={list}
      label={t('news.listOf.posts', { name: data?.name ?? '' })}
      none={{ title: t('news.none.postsTitle'), text: t('news.none.postsText') }}
      filters={
        <div className={styles.account}>
          <ChooseUser userId={userId} />
          {data && <UserCard user={data} />}
          {data === undefined && status === 'loading' && <Loading label={t('news.loading')} />}
          {error && !notOffered && <ErrorNote error={error} />}
        </div>
      }
    />
  )
}

function ChooseUser({ userId }: { readonly userId: string | undefined }): ReactNode {
  const { t } = useTranslation()
  const store = useNewsStore()
  const [typed, setTyped] = useState(userId ?? '')
  const wanted = /^0*([1-9]\d*)$/.exec(typed)?.[1]
  return (
    <CommandForm
      isReady={wanted !== undefined}
      submit={t('news.showUser')}
      variant="default"
      buttons={
        userId !== undefined && (
          <Button
            variant="subtle"
            onClick={() => {
              store.showUser(undefined)
            }}
          >
            {t('news.ownAccount')}
          </Button>
        )
      }
      inline
      onSubmit={() => {
        if (wanted !== undefined) store.showUser(wanted)
      }}
    >
      <TextField
        aria-label={t('news.user')}
        placeholder={t('news.user')}
        inputMode="numeric"
        maxLength={40}
        value={typed}
        onType={(text) => {
          setTyped(text.replaceAll(/\D/g, ''))
        }}
      />
    </CommandForm>
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
      : t('news.karma', { number: new Intl.NumberFormat(i18n.language).format(karma) }),
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
