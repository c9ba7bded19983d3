import { NativeSelect } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { contentChoices } from '../../../contract/choices'
import { EntriesAndDetails } from './entries-and-details'
import { useNewsInstance, useNewsState, useNewsStore } from './use-news'

const typeNames = ['all', 'news', 'offTopic', 'video', 'articles'] as const

/** Entries that members of the community publish. */
export function ClubSection(): ReactNode {
  const { t } = useTranslation()
  const store = useNewsStore()
  const { club } = useNewsState()
  const list = store.entries(useNewsInstance(), { list: 'club', ...club })
  return (
    <EntriesAndDetails
      key={JSON.stringify(club)}
      section="club"
      list={list}
      label={t('news.listOf.club')}
      none={{ title: t('news.none.clubTitle'), text: t('news.none.clubText') }}
      filters={
        <>
          <NativeSelect
            aria-label={t('news.type')}
            data={contentChoices.types.map((type) => ({
              value: String(type),
              label: t(`news.types.${typeNames[type]}`),
            }))}
            value={club.type}
            onChange={(event) => {
              const type = contentChoices.types.find((one) => String(one) === event.currentTarget.value)
              if (type !== undefined) store.state.setState({ club: { ...club, type } })
            }}
          />
          <NativeSelect
            aria-label={t('news.sort')}
            data={contentChoices.sortModes.map((mode) => ({
              value: mode,
              label: t(`news.sortModes.${mode}`),
            }))}
            value={club.sortMode}
            onChange={(event) => {
              const sortMode = contentChoices.sortModes.find((one) => one === event.currentTarget.value)
              if (sortMode !== undefined) store.state.setState({ club: { ...club, sortMode } })
            }}
          />
        </>
      }
    />
  )
}
