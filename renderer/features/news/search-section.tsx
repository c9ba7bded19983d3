import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import page from '../../ui/page.module.css'
import { TextField } from '../../ui/text-field'
import { EntriesAndDetails } from './entries-and-details'
import styles from './news.module.css'
import { useEntries, useNewsState, useNewsStore } from './use-news'

/** Finds entries by words or hashtag, and opens an article by its address. */
export function SearchSection(): ReactNode {
  const { t } = useTranslation()
  const store = useNewsStore()
  const {
    search: { q, typed },
  } = useNewsState()
  const list = useEntries({ list: 'search', q }, { enabled: q !== '' })
  const wanted = typed.trim()
  const isAddress = /^https?:\/\/\S+$/i.test(wanted)
  return (
    <EntriesAndDetails
      section="search"
      list={q === '' ? undefined : list}
      label={t('news.listOf.search', { q })}
      none={{ title: t('news.none.searchTitle'), text: t('news.none.searchText') }}
      filters={
        <form
          role="search"
          className={styles.search}
          onSubmit={(event) => {
            event.preventDefault()
            if (wanted === '') return
            if (isAddress) store.look('search', { address: wanted })
            else {
              store.search(wanted)
              if (wanted === q) list.refresh()
            }
          }}
        >
          <div className={styles.searchField}>
            <TextField
              className={styles.searchText ?? ''}
              aria-label={t('news.searchLabel')}
              placeholder={t('news.searchLabel')}
              value={typed}
              maxLength={isAddress ? 2000 : 500}
              verbatim
              onType={(text) => {
                store.state.setState({ search: { q, typed: text } })
              }}
            />
            <Button type="submit" disabled={wanted === ''}>
              {t(isAddress ? 'news.open' : 'news.search')}
            </Button>
          </div>
          {q === '' && <p className={page.quiet}>{t('news.searchHint')}</p>}
        </form>
      }
    />
  )
}
