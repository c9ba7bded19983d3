import { defaultRangeExtractor, useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import {
  memo,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from 'react'
import { usePlaces } from '../store/places'
import styles from './virtual-list.module.css'

/**
 * A list of any length that renders only its visible rows. Scrolls in itself and fills the given height. Arrow keys,
 * Page Up, Page Down, Home and End move the focus between rows: each row has one control marked `data-row-control` (a
 * button that opens it). `count` may include rows that aren't known yet: `row` renders a placeholder for them, and
 * `onVisible` receives the first and last visible index.
 */
export function VirtualList({
  label,
  count,
  rowHeight,
  rowKey,
  row,
  onVisible,
  placeKey,
  atEnd = false,
  focusable = false,
}: {
  readonly label: string
  readonly count: number
  /** Estimated, in CSS pixels; rows are measured. */
  readonly rowHeight: number
  readonly rowKey: (index: number) => string | number
  readonly row: (index: number) => ReactNode
  readonly onVisible?: (first: number, last: number) => void
  /** Restores the scroll position of the last list with this key. */
  readonly placeKey?: string
  /** Keeps the last row visible as rows arrive. */
  readonly atEnd?: boolean
  /** Makes the list itself focusable, for rows without a control, so that keys scroll it. */
  readonly focusable?: boolean
}): ReactNode {
  const box = useRef<HTMLDivElement>(null)
  const places = usePlaces()
  const { top = 0, rows: measured = [] } = places.get(placeKey ?? '') ?? {}
  const list = useVirtualizer<HTMLElement, Element>({
    count,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    getItemKey: rowKey,
    overscan: 6,
    initialOffset: top,
    initialMeasurementsCache: [...measured],
  })
  const rows = list.getVirtualItems()
  const first = rows[0]?.index
  const last = rows[rows.length - 1]?.index
  const seen = useEffectEvent((from: number, to: number) => onVisible?.(from, to))
  useEffect(
    () => () => {
      if (placeKey !== undefined)
        places.set(placeKey, { top: list.scrollOffset ?? 0, rows: list.takeSnapshot() })
    },
    [list, places, placeKey],
  )
  useEffect(() => {
    if (first !== undefined && last !== undefined) seen(first, last)
  }, [first, last, count])

  const height = list.getTotalSize()
  useLayoutEffect(() => {
    if (atEnd && count > 0) list.scrollToIndex(count - 1, { align: 'end' })
  }, [list, atEnd, count, height])

  return (
    <div
      ref={box}
      className={styles.box}
      {...(focusable ? { tabIndex: 0, role: 'group', 'aria-label': label } : {})}
      onKeyDown={useRowKeys({ list, box, count, rowHeight })}
    >
      <ul aria-label={label} className={styles.list} style={{ height }}>
        <Rows list={list} count={count} row={row} />
      </ul>
    </div>
  )
}

/** Returns the handler of the keys that move the focus between the rows of a list. */
function useRowKeys({
  list,
  box,
  count,
  rowHeight,
}: {
  readonly list: Virtualizer<HTMLElement, Element>
  readonly box: RefObject<HTMLElement | null>
  readonly count: number
  /** Estimated, in CSS pixels. */
  readonly rowHeight: number
}): (event: KeyboardEvent) => void {
  /** The row may not be rendered yet. */
  function focusRow(index: number): void {
    list.scrollToIndex(index)
    let tries = 20
    const focus = (): void => {
      const control = box.current?.querySelector<HTMLElement>(`[data-index="${index}"] [data-row-control]`)
      if (control) control.focus()
      else if (tries-- > 0) requestAnimationFrame(focus)
    }
    focus()
  }

  return (event) => {
    const at = (event.target as HTMLElement).closest('[data-index]')?.getAttribute('data-index')
    if (at === undefined || at === null || event.ctrlKey || event.metaKey || event.altKey) return
    const screenful = Math.max(1, Math.floor((box.current?.clientHeight ?? rowHeight) / rowHeight) - 1)
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: screenful,
      PageUp: -screenful,
      Home: -count,
      End: count,
    }
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    focusRow(Math.min(count - 1, Math.max(0, Number(at) + step)))
  }
}

function Rows({
  list,
  count,
  row,
  top = 0,
}: {
  readonly list: Virtualizer<HTMLElement, Element>
  readonly count: number
  readonly row: (index: number) => ReactNode
  /** Distance of the list from the top of what scrolls, in CSS pixels. */
  readonly top?: number
}): ReactNode {
  return list.getVirtualItems().map(({ index, key, start }) => (
    <li
      key={key}
      ref={list.measureElement}
      data-index={index}
      aria-setsize={count}
      aria-posinset={index + 1}
      className={styles.row}
      style={{ transform: `translateY(${start - top}px)` }}
    >
      <Content index={index} row={row} />
    </li>
  ))
}

/** Memoized: scrolling renders only new rows. */
const Content = memo(function Content({
  index,
  row,
}: {
  readonly index: number
  readonly row: (index: number) => ReactNode
}): ReactNode {
  return row(index)
})

/**
 * A list of any length in the scrolling page, which renders only the rows near the visible part, and the one with the
 * focus. Its rows may have several controls; the keys scroll the page.
 */
export function VirtualListInPage({
  label,
  count,
  rowHeight,
  rowKey,
  row,
  pinned,
}: {
  readonly label: string
  readonly count: number
  /** Estimated, in CSS pixels; rows are measured. */
  readonly rowHeight: number
  readonly rowKey: (index: number) => string
  readonly row: (index: number) => ReactNode
  /** A row that is rendered wherever the page is, so that it can be scrolled into view. */
  readonly pinned?: number | undefined
}): ReactNode {
  const [page, setPage] = useState<HTMLElement | null>(null)
  const [top, setTop] = useState(0)
  const [focused, setFocused] = useState<number>()
  const box = useRef<HTMLUListElement>(null)
  useLayoutEffect(() => {
    const scroller = box.current?.closest('main') ?? null
    setPage(scroller)
    if (scroller === null) return undefined
    const measure = (): void => {
      const place = box.current?.getBoundingClientRect().top ?? 0
      setTop(Math.round(place - scroller.getBoundingClientRect().top + scroller.scrollTop))
    }
    measure()
    // What stands above the list may grow while the list stays as it is.
    const observer = new ResizeObserver(measure)
    for (const child of scroller.children) observer.observe(child)
    return () => {
      observer.disconnect()
    }
  }, [])
  const list = useVirtualizer<HTMLElement, Element>({
    count,
    enabled: page !== null,
    getScrollElement: () => page,
    // The virtualizer scrolls there when it starts.
    initialOffset: () => page?.scrollTop ?? 0,
    scrollMargin: top,
    estimateSize: () => rowHeight,
    getItemKey: rowKey,
    overscan: 10,
    rangeExtractor: (range) => {
      const near = defaultRangeExtractor(range)
      const far = [focused, pinned].filter(
        (index): index is number => index !== undefined && index >= 0 && index < count,
      )
      return [...new Set([...near, ...far])].sort((one, other) => one - other)
    },
  })
  return (
    <ul
      ref={box}
      aria-label={label}
      className={styles.list}
      style={{ height: list.getTotalSize() }}
      onFocus={(event) => {
        setFocused(Number(event.target.closest('[data-index]')?.getAttribute('data-index')))
      }}
      onBlur={() => {
        setFocused(undefined)
      }}
    >
      <Rows list={list} count={count} row={row} top={top} />
    </ul>
  )
}
