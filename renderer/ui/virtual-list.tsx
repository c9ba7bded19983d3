import { useVirtualizer, type VirtualItem } from '@tanstack/react-virtual'
import { memo, useEffect, useLayoutEffect, useRef, type KeyboardEvent, type ReactNode } from 'react'
import styles from './virtual-list.module.css'

/**
 * A list of any length of which only what can be seen is on the page. It scrolls in itself and takes the height that it is given.
 *
 * Arrow keys, Page Up and Page Down, Home and End go from row to row: each row has one control that is marked
 * `data-row-control` (a button that opens it), which gets the focus. `count` may be more than what is known already: `row` says
 * what stands there meanwhile, and `onSeen` is told the first and the last index that can be seen. `place` is where the list was left.
 */
export function VirtualList({
  label,
  count,
  rowHeight,
  rowKey,
  row,
  onSeen,
  place,
  onPlace,
  measured,
  onLeft,
  atEnd = false,
  focusable = false,
}: {
  readonly label: string
  readonly count: number
  /** In CSS pixels, about: rows are measured. */
  readonly rowHeight: number
  readonly rowKey: (index: number) => string | number
  readonly row: (index: number) => ReactNode
  readonly onSeen?: (first: number, last: number) => void
  /** In CSS pixels from the top. */
  readonly place?: number
  readonly onPlace?: (place: number) => void
  /** What the rows measured when the list was left, so that rows of different heights are where they were. */
  readonly measured?: readonly VirtualItem[]
  /** Told when the list goes. */
  readonly onLeft?: (measured: readonly VirtualItem[]) => void
  /** Shows the last row, also of those that come. */
  readonly atEnd?: boolean
  /** For rows without a control: the list itself takes the focus, so that keys scroll it. */
  readonly focusable?: boolean
}): ReactNode {
  const box = useRef<HTMLDivElement>(null)
  const list = useVirtualizer({
    count,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    getItemKey: rowKey,
    overscan: 6,
    initialOffset: place ?? 0,
    initialMeasurementsCache: [...(measured ?? [])],
  })
  const rows = list.getVirtualItems()
  const first = rows[0]?.index
  const last = rows[rows.length - 1]?.index
  const seen = useRef(onSeen)
  const left = useRef(onLeft)
  useLayoutEffect(() => {
    seen.current = onSeen
    left.current = onLeft
  })
  useEffect(
    () => () => {
      left.current?.(list.takeSnapshot())
    },
    [list],
  )
  useEffect(() => {
    if (first !== undefined && last !== undefined) seen.current?.(first, last)
  }, [first, last, count])

  const height = list.getTotalSize()
  useLayoutEffect(() => {
    if (atEnd && count > 0) list.scrollToIndex(count - 1, { align: 'end' })
  }, [list, atEnd, count, height])

  /** The row may have to be brought onto the page first. */
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

  function onKeyDown(event: KeyboardEvent): void {
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

  return (
    <div
      ref={box}
      className={styles.box}
      {...(focusable ? { tabIndex: 0, role: 'group', 'aria-label': label } : {})}
      onScroll={(event) => onPlace?.(event.currentTarget.scrollTop)}
      onKeyDown={onKeyDown}
    >
      <ul aria-label={label} className={styles.list} style={{ height }}>
        {rows.map(({ index, key, start }) => (
          <li
            key={key}
            ref={list.measureElement}
            data-index={index}
            aria-setsize={count}
            aria-posinset={index + 1}
            className={styles.row}
            style={{ transform: `translateY(${start}px)` }}
          >
            <Content index={index} row={row} />
          </li>
        ))}
      </ul>
    </div>
  )
}

/** While the list is scrolled, only those are drawn that come. */
const Content = memo(function Content({
  index,
  row,
}: {
  readonly index: number
  readonly row: (index: number) => ReactNode
}): ReactNode {
  return row(index)
})
