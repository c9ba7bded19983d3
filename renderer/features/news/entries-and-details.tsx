import { useEffect, useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { EntryItem } from '../../../contract/news'
import { ListAndDetails } from '../../ui/list-and-details'
import { EndlessList } from './endless-list'
import { EntryRow } from './entry-row'
import { EntryView } from './entry-view'
import styles from './news.module.css'
import type { Opened, Section } from './news-store'
import type { PagedList } from './paged-list'
import { useNewsState, useNewsStore } from './use-news'

/** List of entries with the opened entry, which Escape closes. */
export function EntriesAndDetails({
  section,
  list,
  ...shown
}: {
  readonly section: Section
  /** Undefined if there is nothing to list yet. */
  readonly list: PagedList<EntryItem> | undefined
  readonly label: string
  readonly filters: ReactNode
  readonly none: { readonly title: string; readonly text: string }
}): ReactNode {
  const { t } = useTranslation()
  const store = useNewsStore()
  const opened = useNewsState().opened[section]
  const box = useRef<HTMLDivElement>(null)
  const back = useFocusBack(box, opened)
  const close = (): void => {
    store.look(section, undefined)
  }
  return (
    <div ref={box} className={styles.whole}>
      <ListAndDetails
        onClose={close}
        list={
          list === undefined ? (
            <div className={styles.filters}>{shown.filters}</div>
          ) : (
            <EndlessList
              list={list}
              {...shown}
              rowHeight={112}
              row={(entry) => (
                <EntryRow
                  entry={entry}
                  isOpen={opened !== undefined && 'entryId' in opened && opened.entryId === entry.id}
                  onOpen={(row) => {
                    back.current = row
                    store.look(section, { entryId: entry.id })
                  }}
                />
              )}
            />
          )
        }
        details={
          opened && (
            <EntryView
              key={JSON.stringify(opened)}
              opened={opened}
              known={
                'entryId' in opened
                  ? list?.store.getState().items.find(({ id }) => id === opened.entryId)
                  : undefined
              }
              onClose={close}
              onOpen={(entryId) => {
                store.look(section, { entryId })
              }}
            />
          )
        }
        hint={<p className={styles.hint}>{t('news.choose')}</p>}
      />
    </div>
  )
}

/** Moves the focus into details that cover the list, and back to the row when they close. */
function useFocusBack(
  box: React.RefObject<HTMLDivElement | null>,
  opened: Opened | undefined,
): React.RefObject<HTMLElement | null> {
  const row = useRef<HTMLElement>(null)
  const before = useRef(opened)
  useEffect(() => {
    if (before.current === opened) return
    const wasOpen = before.current !== undefined
    before.current = opened
    if (opened !== undefined) {
      // In a wide window the focus stays in the list for the arrow keys.
      const list = row.current ?? document.activeElement
      if (list === null || getComputedStyle(list).visibility === 'hidden' || !(list instanceof HTMLElement))
        box.current?.querySelector<HTMLElement>('[data-entry-start]')?.focus()
    } else if (wasOpen) {
      row.current?.focus()
      row.current = null
    }
  }, [box, opened])
  return row
}
