import { IconBuilding, IconCornerDownLeft, IconWorld } from '@tabler/icons-react'
import { useState, type KeyboardEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { FoundOrganization } from '../../../contract/organization-list'
import styles from './instances.module.css'

/** Which of the organizations found Enter takes: the best match, unless the person chose another. */
export interface Mark {
  readonly index: number
  readonly set: (index: number) => void
  /** Moves it with the arrow keys. */
  readonly onKeyDown: (event: KeyboardEvent) => void
}

export function useMark(listId: string, count: number): Mark {
  const [index, set] = useState(0)
  return {
    index,
    set,
    onKeyDown(event) {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
      if (step === undefined || count === 0 || event.nativeEvent.isComposing) return
      event.preventDefault()
      const next = (index + step + count) % count
      set(next)
      document.getElementById(optionId(listId, next))?.scrollIntoView({ block: 'nearest' })
    },
  }
}

/** The organizations that match, for the field that keeps the focus. */
export function FoundOrganizations({
  listId,
  results,
  marked,
  onChoose,
}: {
  readonly listId: string
  readonly results: readonly FoundOrganization[]
  readonly marked: number
  readonly onChoose: (organization: FoundOrganization) => void
}): ReactNode {
  const { t } = useTranslation()
  return (
    <ul id={listId} role="listbox" aria-label={t('directory.list')} className={styles.results}>
      {results.map((each, index) => (
        <li
          key={each.id}
          id={optionId(listId, index)}
          role="option"
          aria-selected={index === marked}
          className={styles.organization}
          // The field keeps the focus.
          onMouseDown={(event) => {
            event.preventDefault()
          }}
          onClick={() => {
            onChoose(each)
          }}
        >
          <Organization {...each} />
        </li>
      ))}
    </ul>
  )
}

/** The id of an element of the list. */
export function optionId(listId: string, index: number): string {
  return `${listId}-${index}`
}

function Organization({ name, type, host }: FoundOrganization): ReactNode {
  const { t } = useTranslation()
  const Kind = type === 'secure_internet' ? IconWorld : IconBuilding
  return (
    <>
      <Kind size={20} stroke={1.75} aria-hidden />
      <span className={styles.organizationText}>
        <bdi>{name}</bdi>
        <span className={styles.kind}>
          {type === 'secure_internet' ? t('directory.secure', { name }) : t('directory.institute')}
          {host !== undefined && (
            <>
              {' · '}
              <bdi dir="ltr">{host}</bdi>
            </>
          )}
        </span>
      </span>
      <span aria-hidden className={styles.go}>
        {t('directory.continue')}
        <IconCornerDownLeft size={16} />
      </span>
    </>
  )
}
