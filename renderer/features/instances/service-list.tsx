import { ActionIcon, VisuallyHidden } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconPlus, IconSearch } from '@tabler/icons-react'
import { memo, useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useAppState, useCommand } from '../../store/context'
import { useEndedAccess } from '../../store/ended-access'
import page from '../../ui/page.module.css'
import { TextField } from '../../ui/text-field'
import { searchKeys } from '../../ui/use-shortcuts'
import { useWindowAction } from '../../ui/window-actions'
import { AddServiceDialog } from './add-service-dialog'
import type { FoundProfile } from './find-profiles'
import styles from './instances.module.css'
import { ProfileRows } from './profile-rows'
import { ServiceSection } from './service-section'
import {
  matchesGroup,
  topGroup,
  useProfileSearch,
  type ProfileSearch,
  type Service,
} from './use-profile-search'

/** All services with their profiles in one list: searched over all of them, with recent and starred profiles on top. */
export function ServiceList(): ReactNode {
  const { t } = useTranslation()
  const { linkAddress } = useAppState()
  const isOver = useEndedAccess()
  const fold = useCommand('foldService')
  const [adding, setAdding] = useState(false)
  const [added, setAdded] = useState<string>()
  const search = useProfileSearch(added)
  const list = useRef<HTMLElement>(null)
  const { isSearching, groups, marked } = search
  useEffect(() => {
    list.current?.querySelector('[data-marked]')?.scrollIntoView({ block: 'nearest' })
  }, [marked?.key])
  const add = (): void => {
    setAdding(true)
  }
  useWindowAction('addService', add)
  // The dialog takes the address.
  if (linkAddress !== undefined && !adding) setAdding(true)
  return (
    <section
      ref={list}
      className={styles.services}
      aria-label={t('instance.services')}
      onKeyDown={moveBetweenRows}
    >
      <SearchBar
        search={search}
        onType={() => {
          // The service that was added has had the focus.
          setAdded(undefined)
        }}
        onAdd={add}
      />
      <VisuallyHidden aria-live="polite">
        {marked &&
          `${t(isOver(marked.each.instanceId) ? 'connection.expiry.renew' : 'connection.connect')}: ${marked.each.profile.displayName} · ${marked.each.service}`}
      </VisuallyHidden>
      {isSearching && groups.matches.length === 0 && groups.services.length === 0 && (
        <p className={page.quiet}>{t('instance.noProfileFound')}</p>
      )}
      <Groups
        top={groups.top}
        matches={groups.matches}
        services={groups.services}
        marked={marked?.key}
        stars={groups.isLong}
        added={added}
      />
      {adding && (
        <AddServiceDialog
          onClose={(instanceId) => {
            setAdding(false)
            if (instanceId === undefined) return
            setAdded(instanceId)
            void fold.run({ instanceId, folded: false })
            search.search('')
          }}
        />
      )}
    </section>
  )
}

/** The search field, and the button that adds a service. */
function SearchBar({
  search: { words, search, moveMark, connectMarked },
  onType,
  onAdd,
}: {
  readonly search: ProfileSearch
  readonly onType: () => void
  readonly onAdd: () => void
}): ReactNode {
  const { t } = useTranslation()
  // There, the placeholder needs the room.
  const isNarrow = useMediaQuery('(width < 560px)', false, { getInitialValueInEffect: false })
  const field = useRef<HTMLInputElement>(null)
  useWindowAction('search', () => field.current?.focus())
  return (
    <div className={styles.tools}>
      <form
        role="search"
        className={styles.search}
        onSubmit={(event) => {
          event.preventDefault()
          void connectMarked()
        }}
      >
        <TextField
          ref={field}
          type="search"
          aria-label={t('instance.findProfile')}
          placeholder={t('instance.findProfile')}
          leftSection={<IconSearch size={16} aria-hidden />}
          {...(words === '' &&
            !isNarrow && {
              rightSection: (
                <kbd aria-hidden className={styles.keys}>
                  {searchKeys}
                </kbd>
              ),
              rightSectionWidth: 64,
            })}
          value={words}
          maxLength={200}
          onType={(typed) => {
            search(typed)
            onType()
          }}
          onKeyDown={(event) => {
            const step = stepOf(event)
            if (step === 0) return
            event.preventDefault()
            moveMark(step)
          }}
        />
      </form>
      <ActionIcon
        variant="default"
        size={36}
        aria-label={t('instance.addService')}
        title={t('instance.addService')}
        onClick={onAdd}
      >
        <IconPlus size={18} aria-hidden />
      </ActionIcon>
    </div>
  )
}

/** Returns which way an arrow key leads; 0 for other keys. */
function stepOf({ key }: KeyboardEvent): 1 | -1 | 0 {
  return key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0
}

/** Moves the focus to the next or previous row with the arrow keys. */
function moveBetweenRows(event: KeyboardEvent<HTMLElement>): void {
  const step = stepOf(event)
  if (step === 0 || !(event.target instanceof HTMLElement) || !event.target.matches('[data-row-control]'))
    return
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-row-control]:not(:disabled)')]
  const next = rows[rows.indexOf(event.target) + step]
  if (next === undefined) return
  event.preventDefault()
  next.focus()
}

/** The recent and starred profiles, or those that a search found; and the profiles of each service. */
const Groups = memo(function Groups({
  top,
  matches,
  services,
  marked,
  stars,
  added,
}: {
  readonly top: readonly FoundProfile[]
  /** The best first, from all services. */
  readonly matches: readonly FoundProfile[]
  readonly services: readonly Service[]
  readonly marked: string | undefined
  readonly stars: boolean
  /** The instance that was added just now. */
  readonly added: string | undefined
}): ReactNode {
  const { t } = useTranslation()
  const { instances } = useAppState()
  const topId = useId()
  return (
    <>
      {top.length > 0 && (
        <section className={styles.service} aria-labelledby={topId}>
          <h2 id={topId} className={styles.groupTitle}>
            {t('instance.recent')}
          </h2>
          <ProfileRows
            label={t('instance.recent')}
            rows={top}
            withService={instances.length > 1}
            stars
            group={topGroup}
            marked={marked}
          />
        </section>
      )}
      {matches.length > 0 && (
        <ProfileRows
          label={t('instance.matches')}
          rows={matches}
          withService={instances.length > 1}
          stars={stars}
          group={matchesGroup}
          marked={marked}
        />
      )}
      {services.map(({ instance, rows, isOpen }) => (
        <ServiceSection
          key={instance.id}
          instance={instance}
          rows={rows}
          stars={stars}
          marked={marked}
          isOpen={isOpen}
          isNew={instance.id === added}
        />
      ))}
    </>
  )
})
