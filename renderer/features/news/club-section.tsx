import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { contentChoices } from '../../../contract/choices'
import { Choice } from '../../ui/choice'
import { EntriesAndDetails } from './entries-and-details'
import { useEntries, useNewsState, useNewsStore } from './use-news'

const typeNames = ['all', 'news', 'offTopic', 'video', 'articles'] as const

/** Entries that members of the community publish. */
export function ClubSection(): ReactNode {
  const { t } = useTranslation()
  const store = useNewsStore()
  const { club } = useNewsState()
  const list = useEntries({ list: 'club', ...club })
  return (
    <EntriesAndDetails
      section="club"
      list={list}
      label={t('news.listOf.club')}
      none={{ title: t('news.none.clubTitle'), text: t('news.none.clubText') }}
      filters={
        <>
          <Choice
            aria-label={t('news.type')}
            options={contentChoices.types.map((value) => ({
              value,
              label: t(`news.types.${typeNames[value]}`),
            }))}
            value={club.type}
            onChoose={(type) => {
              store.state.setState({ club: { ...club, type } })
            }}
          />
          <Choice
            aria-label={t('news.sort')}
            options={contentChoices.sortModes.map((value) => ({
              value,
              label: t(`news.sortModes.${value}`),
            }))}
            value={club.sortMode}
            onChoose={(sortMode) => {
              store.state.setState({ club: { ...club, sortMode } })
            }}
          />
        </>
      }
    />
  )
}
