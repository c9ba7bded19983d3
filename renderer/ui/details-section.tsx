import { Button } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { useEffect, useRef, type ReactNode } from 'react'
import styles from './details-section.module.css'

/**
 * Details of an item in a list (ui/list-and-details.tsx). Takes the focus if it covers the list, if the focused
 * element is gone, or if it is a form (`isForm`).
 */
export function DetailsSection({
  label,
  back,
  close,
  which,
  isForm = false,
  onClose,
  children,
}: {
  readonly label: string
  /** Labels of the button that closes it: where it covers the list, and where it is beside it. */
  readonly back: string
  readonly close: string
  /** Differs for each item that can be chosen. */
  readonly which: string | number | undefined
  readonly isForm?: boolean
  readonly onClose: () => void
  readonly children: ReactNode
}): ReactNode {
  const box = useRef<HTMLElement>(null)
  useEffect(() => {
    const covers = !window.matchMedia('(width >= 1200px)').matches
    if (isForm || covers || document.activeElement === document.body) box.current?.focus()
  }, [which, isForm])
  return (
    <section ref={box} tabIndex={-1} aria-label={label} className={styles.details}>
      <Button
        variant="subtle"
        className={styles.back ?? ''}
        leftSection={<IconArrowLeft size={16} aria-hidden />}
        onClick={onClose}
      >
        <span className={styles.whereCovered}>{back}</span>
        <span className={styles.whereBeside}>{close}</span>
      </Button>
      {children}
    </section>
  )
}
