import { SegmentedControl } from '@mantine/core'
import { IconNews } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useAppState } from '../../store/context'
import { NoService } from '../../ui/no-service'
import { ErrorNote } from '../../ui/error-note'
import { InstanceSelect } from '../../ui/instance-select'
import page from '../../ui/page.module.css'
import { AccountSection } from './account-section'
import { ClubSection } from './club-section'
import styles from './news.module.css'
import { sections } from './news-store'
import { NewsItemsSection } from './news-items-section'
import { SearchSection } from './search-section'
import { TweetsSection } from './tweets-section'
import { NewsInstance, useNewsState, useNewsStore } from './use-news'

/** News of the community around an instance: entries, tweets, press reports, search and accounts. */
export function NewsView(): ReactNode {
  const { t } = useTranslation()
  const { instances } = useAppState()
  const store = useNewsStore()
  const { instanceId, section, notOpened } = useNewsState()
  const instance = instances.find(({ id }) => id === instanceId) ?? instances[0]
  if (instance === undefined) {
    return (
      <>
        <h1>{t('news.title')}</h1>
        <NoService icon={IconNews} text={t('news.noInstance')} />
      </>
    )
  }
  return (
    <>
      <div className={page.head}>
        <h1>{t('news.title')}</h1>
        <InstanceSelect
          shown={instance.id}
          onChoose={(chosen) => {
            store.state.setState({ instanceId: chosen, opened: {}, userId: undefined })
          }}
        />
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
      <NewsInstance value={instance.id}>
        <Section key={instance.id} />
      </NewsInstance>
    </>
  )
}

function Section(): ReactNode {
  const { section } = useNewsState()
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
