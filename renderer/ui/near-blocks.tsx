import { useEffect, useRef, useState, type ReactNode } from 'react'

/** Rows of a block. */
const blockSize = 8
/** How far from the visible part a block is rendered. */
const margin = '400px 0px'

/**
 * The rows of a list in the scrolling page, in blocks. Of a long list, only the blocks near the visible part are rendered;
 * the others are empty and as high as their rows. `row` returns an element with the role `listitem`.
 */
export function NearBlocks({
  label,
  count,
  rowHeight,
  row,
}: {
  readonly label: string
  readonly count: number
  /** Estimated, in CSS pixels. */
  readonly rowHeight: number
  readonly row: (index: number) => ReactNode
}): ReactNode {
  const starts = Array.from({ length: Math.ceil(count / blockSize) }, (_, block) => block * blockSize)
  return (
    <div role="list" aria-label={label}>
      {starts.map((start) => {
        const size = Math.min(blockSize, count - start)
        return (
          <Block key={start} isFirst={start === 0} height={size * rowHeight}>
            {() => Array.from({ length: size }, (_, index) => row(start + index))}
          </Block>
        )
      })}
    </div>
  )
}

function Block({
  isFirst,
  height,
  children,
}: {
  /** It is rendered even if it isn't near, so that a list is never empty. */
  readonly isFirst: boolean
  readonly height: number
  readonly children: () => ReactNode
}): ReactNode {
  const box = useRef<HTMLDivElement>(null)
  /** The height of its rows when they were last rendered, or the estimate. */
  const [known, setKnown] = useState(height)
  const [isNear, setNear] = useState(isFirst)
  useEffect(() => {
    const element = box.current
    if (isFirst || element === null) return undefined
    const observer = new IntersectionObserver(
      ([entry]) => {
        const near = entry?.isIntersecting === true
        if (near) setNear(true)
        // The focus stays where it is.
        else if (!element.contains(document.activeElement)) {
          if (element.childElementCount > 0) setKnown(element.offsetHeight)
          setNear(false)
        }
      },
      { root: element.closest('main'), rootMargin: margin },
    )
    observer.observe(element)
    return () => {
      observer.disconnect()
    }
  }, [isFirst])
  return (
    <div ref={box} style={isNear ? undefined : { height: known }}>
      {isNear && children()}
    </div>
  )
}
