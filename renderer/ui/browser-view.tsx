import { Button } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { Fragment, useRef, type HTMLAttributes, type ReactNode, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './browser-view.module.css'
import { ListAndDetails, useFocusBack, useFocusOnOpen } from './list-and-details'
import page from './page.module.css'
import { RefreshButton } from './refresh-button'

type Name = 'attachments' | 'organization'

/** Details of an item, or a form in their place. */
interface Details {
  /** Differs for each item and form. */
  readonly which: string
  readonly isForm?: boolean
  readonly content: ReactNode
}

/**
 * A view with a list, its filter and the details of an item. In a narrow window the details cover the list, and the
 * actions and the filter disappear meanwhile. When the details close, the focus returns to what opened them.
 */
export function BrowserView({
  view,
  name,
  select,
  actions,
  status,
  filter,
  list,
  details,
  hint,
  foot,
  isLoading,
  onRefresh,
  onClose,
  ...drop
}: {
  /** Ref of the whole view. */
  readonly view: RefObject<HTMLDivElement | null>
  /** Namespace of its texts. */
  readonly name: Name
  /** Chooses the service (ui/service-view.tsx). */
  readonly select: ReactNode
  /** Buttons below the title. */
  readonly actions?: ReactNode
  /** Result of the last action. */
  readonly status?: ReactNode
  readonly filter?: ReactNode
  readonly list: ReactNode
  readonly details: Details | undefined
  /** Shown in place of the details in a wide window. */
  readonly hint: ReactNode
  readonly foot?: ReactNode
  readonly isLoading: boolean
  readonly onRefresh: () => void
  readonly onClose: () => void
} & Pick<HTMLAttributes<HTMLElement>, 'onDragOver' | 'onDragLeave' | 'onDrop'>): ReactNode {
  const { t } = useTranslation()
  useFocusBack(view, details?.which)
  return (
    <div ref={view} className={styles.view} data-details={details && true} {...drop}>
      <div className={page.head}>
        <h1 tabIndex={-1}>{t(`${name}.title`)}</h1>
        {select}
        {actions && <div className={styles.actions}>{actions}</div>}
        <RefreshButton label={t(`${name}.refresh`)} loading={isLoading} onRefresh={onRefresh} />
      </div>
      {status}
      {filter && <div className={styles.filter}>{filter}</div>}
      <ListAndDetails
        onClose={onClose}
        list={list}
        details={details && <Section name={name} details={details} onClose={onClose} />}
        hint={hint}
      />
      {foot}
    </div>
  )
}

/** Takes the focus if it covers the list, if the focused element is gone, or if it is a form. */
function Section({
  name,
  details: { which, isForm = false, content },
  onClose,
}: {
  readonly name: Name
  readonly details: Details
  readonly onClose: () => void
}): ReactNode {
  const { t } = useTranslation()
  const box = useRef<HTMLElement>(null)
  useFocusOnOpen(box, which, { isForm })
  return (
    <section ref={box} tabIndex={-1} aria-label={t(`${name}.details`)} className={styles.details}>
      <Button
        variant="subtle"
        className={styles.back ?? ''}
        leftSection={<IconArrowLeft size={16} aria-hidden />}
        onClick={onClose}
      >
        <span className={styles.whereCovered}>{t(`${name}.back`)}</span>
        <span className={styles.whereBeside}>{t(`${name}.close`)}</span>
      </Button>
      <Fragment key={which}>{content}</Fragment>
    </section>
  )
}

/** Head of the details of an item. */
export function DetailsHead({
  icon,
  title,
  text,
}: {
  readonly icon: ReactNode
  readonly title: string
  readonly text: string
}): ReactNode {
  return (
    <div className={styles.head}>
      {icon}
      <div className={styles.headText}>
        <h2>
          <bdi>{title}</bdi>
        </h2>
        <p className={page.quiet}>{text}</p>
      </div>
    </div>
  )
}
