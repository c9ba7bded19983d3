import { Button } from '@mantine/core'
import { IconNews } from '@tabler/icons-react'
import { useCallback, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useServiceName } from '../../store/profile-name'
import { AsOf } from '../../ui/as-of'
import { Empty } from '../../ui/empty'
import { ErrorNote } from '../../ui/error-note'
import { Loading } from '../../ui/loading'
import page from '../../ui/page.module.css'
import { RefreshButton } from '../../ui/refresh-button'
import { VirtualList } from '../../ui/virtual-list'
import styles from './news.module.css'
import { Unreadable } from '../../ui/unreadable'
import { pageAddress } from '../../ui/use-view'
import { useNewsInstance } from './use-news'
import type { PagedList } from './use-paged-list'

/** The next page is fetched when this many rows remain. */
const ahead = 8

interface ItemsProps<Item> {
  readonly list: PagedList<Item>
  readonly label: string
  readonly none: { readonly title: string; readonly text: string }
  readonly rowHeight: number
  readonly row: (item: Item) => ReactNode
}

/**
 * List that fetches more while it scrolls, with its filters above, which keep the focus when they lead to another list.
 * Restores its scroll position. `none` is shown if it is empty.
 */
export function EndlessList<Item extends { readonly id: string }>({
  list,
  filters,
  below,
  ...rest
}: Omit<ItemsProps<Item>, 'list'> & {
  /** Undefined if there is nothing to list yet. */
  readonly list: PagedList<Item> | undefined
  readonly filters: ReactNode
  readonly below?: ReactNode
}): ReactNode {
  const { t } = useTranslation()
  return (
    <>
      <div className={styles.filters}>
        {filters}
        {list && (
          <RefreshButton label={t('news.refresh')} loading={list.isLoading} onRefresh={list.refresh} />
        )}
      </div>
      {below}
      {list && <Items list={list} {...rest} />}
    </>
  )
}

function Items<Item extends { readonly id: string }>({
  list,
  label,
  none,
  rowHeight,
  row,
}: ItemsProps<Item>): ReactNode {
  const { t } = useTranslation()
  const { items, isLoading, ended, error, failsAtEnd, cachedAt, host, unreadable } = list
  const instanceId = useNewsInstance()
  const rowKey = useCallback((index: number) => items[index]?.id ?? 'end', [items])
  const failed = error && (
    <div className={styles.failed}>
      <ErrorNote error={error} />
      <Button variant="default" onClick={list.retry}>
        {t('news.retry')}
      </Button>
    </div>
  )
  return (
    <>
      {cachedAt !== undefined && <AsOf service={host ?? instanceId} cachedAt={cachedAt} />}
      <Unreadable count={unreadable} />
      {error?.code === 'content/not-offered' && <NotOffered />}
      {error?.code !== 'content/not-offered' && !failsAtEnd && failed}
      {items.length === 0 && isLoading && <Loading label={t('news.loading')} />}
      {items.length === 0 && unreadable === 0 && !isLoading && error === undefined && ended && (
        <Empty icon={IconNews}>
          <h2>{none.title}</h2>
          <p>{none.text}</p>
        </Empty>
      )}
      {items.length > 0 && (
        <VirtualList
          key={list.key}
          label={label}
          count={items.length + (ended ? 0 : 1)}
          rowHeight={rowHeight}
          rowKey={rowKey}
          row={(index) => {
            const item = items[index]
            if (item !== undefined) return row(item)
            if (failsAtEnd && failed) return failed
            return <p className={`${page.quiet} ${styles.end}`}>{t('news.loadingMore')}</p>
          }}
          onVisible={(_first, last) => {
            if (last >= items.length - ahead) list.more()
          }}
          placeKey={list.key}
        />
      )}
    </>
  )
}

/** Says that the instance has no news service, with a link to the settings. */
function NotOffered(): ReactNode {
  const { t } = useTranslation()
  const instance = useNewsInstance()
  const name = useServiceName(instance)
  return (
    <Empty icon={IconNews}>
      <h2>{t('news.notOfferedTitle')}</h2>
      <p>{t('news.notOffered', { instance: name })}</p>
      <Button component="a" href={pageAddress('settings', 'instances', instance)} variant="light">
        {t('news.toSettings')}
      </Button>
    </Empty>
  )
}
