import { Button } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { useEffect, useRef, type ReactNode } from 'react'
import styles from './details-section.module.css'

/**
 * What was chosen in a list (ui/list-and-details.tsx), with the way back to it. It takes the keyboard where it covers the list,
 * where what had it is gone, and where it `isForm`, which is to be filled in.
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
  /** The words of the way back where the details cover the list, and where they stand beside it. */
  readonly back: string
  readonly close: string
  /** Another one for each thing that can be chosen. */
  readonly which: string | number | undefined
  readonly isForm?: boolean
  readonly onClose: () => void
  readonly children: ReactNode
}): ReactNode {
  const box = useRef<HTMLElement>(null)
  useEffect(() => {
    const covers = !window.matchMedia('(width >= 900px)').matches
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
