import { useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { EntryItem } from '../../../contract/news'
import { ListAndDetails, useFocusBack } from '../../ui/list-and-details'
import page from '../../ui/page.module.css'
import { EndlessList } from './endless-list'
import { EntryRow } from './entry-row'
import { EntryView } from './entry-view'
import styles from './news.module.css'
import type { Section } from './news-store'
import { useNewsState, useNewsStore } from './use-news'
import type { PagedList } from './use-paged-list'

/** List of entries with the opened entry, which Escape closes. */
export function EntriesAndDetails({
  section,
  list,
  ...rest
}: {
  readonly section: Section
  readonly list: PagedList<EntryItem> | undefined
  readonly label: string
  readonly filters: ReactNode
  readonly none: { readonly title: string; readonly text: string }
}): ReactNode {
  const { t } = useTranslation()
  const store = useNewsStore()
  const opened = useNewsState().opened[section]
  const box = useRef<HTMLDivElement>(null)
  useFocusBack(box, opened && JSON.stringify(opened))
  const close = (): void => {
    store.look(section, undefined)
  }
  return (
    <div ref={box} className={styles.whole}>
      <ListAndDetails
        onClose={close}
        list={
          <EndlessList
            list={list}
            {...rest}
            rowHeight={112}
            row={(entry) => (
              <EntryRow
                entry={entry}
                isOpen={opened !== undefined && 'entryId' in opened && opened.entryId === entry.id}
                onOpen={() => {
                  store.look(section, { entryId: entry.id })
                }}
              />
            )}
          />
        }
        details={
          opened && (
            <EntryView
              key={JSON.stringify(opened)}
              opened={opened}
              preview={'entryId' in opened ? list?.items.find(({ id }) => id === opened.entryId) : undefined}
              onClose={close}
              onOpen={(entryId) => {
                store.look(section, { entryId })
              }}
            />
          )
        }
        hint={<p className={page.hint}>{t('news.choose')}</p>}
      />
    </div>
  )
}
