import { SegmentedControl } from '@mantine/core'
import { useEffect, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorNote } from '../../ui/error-note'
import page from '../../ui/page.module.css'
import { ServiceView } from '../../ui/service-view'
import { AccountSection } from './account-section'
import { ClubSection } from './club-section'
import styles from './news.module.css'
import { sections } from './news-store'
import { NewsItemsSection } from './news-items-section'
import { SearchSection } from './search-section'
import { TweetsSection } from './tweets-section'
import { NewsInstance, useNewsInstance, useNewsState, useNewsStore } from './use-news'

/** News of the community around an instance: entries, tweets, press reports, search and accounts. */
export function NewsView(): ReactNode {
  const { t } = useTranslation()
  const store = useNewsStore()
  const { instanceId: wanted, section, notOpened } = useNewsState()
  return (
    <ServiceView
      wanted={wanted}
      onChoose={(instanceId) => {
        store.choose(instanceId)
      }}
    >
      {(instanceId, select) => (
        <>
          <div className={page.head}>
            <h1>{t('news.title')}</h1>
            {select}
          </div>
          <SegmentedControl
            aria-label={t('news.sections')}
            className={styles.sections ?? ''}
            fullWidth
            data={sections.map((value) => ({ value, label: t(`news.section.${value}`) }))}
            value={section}
            onChange={(value) => {
              const chosen = sections.find((name) => name === value)
              if (chosen !== undefined) store.show(chosen)
            }}
          />
          {notOpened && <ErrorNote error={notOpened} />}
          <NewsInstance value={instanceId}>
            <Section key={instanceId} />
          </NewsInstance>
        </>
      )}
    </ServiceView>
  )
}

function Section(): ReactNode {
  const store = useNewsStore()
  const instanceId = useNewsInstance()
  const { section } = useNewsState()
  useEffect(() => {
    if (store.state.getState().instanceId !== instanceId) store.choose(instanceId)
  }, [store, instanceId])
  switch (section) {
    case 'club':
      return <ClubSection />
    case 'news':
      return <NewsItemsSection />
    case 'tweets':
      return <TweetsSection />
    case 'search':
      return <SearchSection />
    case 'account':
      return <AccountSection />
  }
}
