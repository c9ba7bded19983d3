import { ActionIcon, VisuallyHidden } from '@mantine/core'
import { IconPlus, IconSearch } from '@tabler/icons-react'
import {
  memo,
  useDeferredValue,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
} from 'react'
import { useTranslation } from 'react-i18next'
import type { AppState, InstanceSlice } from '../../../contract/state'
import { serviceName } from '../../../contract/service-name'
import { useAppState, useCommand } from '../../store/context'
import { useEndedAccess, useStart } from '../../store/ended-access'
import { containsWords } from '../../ui/contains-words'
import page from '../../ui/page.module.css'
import { TextField } from '../../ui/text-field'
import { useWindowAction } from '../../ui/window-actions'
import { AddServiceDialog } from './add-service-dialog'
import {
  findProfiles,
  isActive,
  lookedThrough,
  onTop,
  profilesOf,
  searchedProfiles,
  type FoundProfile,
  type Searched,
} from './find-profiles'
import styles from './instances.module.css'
import { ProfileRows, rowKey } from './profile-rows'
import { ServiceSection } from './service-section'

const topGroup = 'top'
const matchesGroup = 'matches'

/** All services with their profiles in one list: searched over all of them, with recent and starred profiles on top. */
export function ServiceList(): ReactNode {
  const { t } = useTranslation()
  const { connection, heldBy, instances, linkAddress, shortcuts } = useAppState()
  const start = useStart()
  const isOver = useEndedAccess()
  const fold = useCommand('foldService')
  const [words, setWords] = useState('')
  // The box answers at once, and React renders what is found in short tasks.
  const searched = useDeferredValue(words).trim()
  const [adding, setAdding] = useState(false)
  const [added, setAdded] = useState<string>()
  const [moved, setMoved] = useState<{ readonly words: string; readonly key: string }>()
  const search = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLElement>(null)
  const shown = useTop()
  const isSearching = searched !== ''
  const index = useMemo(() => (isSearching ? searchedProfiles(instances) : []), [instances, isSearching])
  // The same objects while only the words change, so that typing renders no row.
  const { top, matches, services, visible, isLong } = useMemo(
    () => arranged({ instances, index, shortcuts, shown, searched, added }),
    [instances, index, shortcuts, shown, searched, added],
  )
  // A search marks its first match; the arrow keys move the mark.
  const chosen = moved?.words === searched ? visible.find(({ key }) => key === moved.key) : undefined
  const marked = chosen ?? (isSearching ? visible[0] : undefined)

  useEffect(() => {
    list.current?.querySelector('[data-marked]')?.scrollIntoView({ block: 'nearest' })
  }, [marked?.key])
  useWindowAction('search', () => search.current?.focus())
  const add = (): void => {
    setAdding(true)
  }
  useWindowAction('addService', add)
  // The dialog takes the address.
  if (linkAddress !== undefined && !adding) setAdding(true)

  async function connectMarked(): Promise<void> {
    // Enter may come before what was typed last is found and marked.
    const isLate = words.trim() !== searched
    const each = isLate ? findProfiles(searchedProfiles(instances), words).find(isUsable) : marked?.each
    if (each === undefined || isActive(each, { connection, heldBy })) return
    const { instanceId, profileId } = each
    await start({ instanceId, profileId }, { isHeld: heldBy !== undefined })
  }

  function onSearchKey(event: KeyboardEvent): void {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    const index = marked === undefined ? -1 : visible.indexOf(marked)
    const next = visible[Math.min(visible.length - 1, Math.max(0, index + step))]
    if (next !== undefined) setMoved({ words: searched, key: next.key })
  }

  return (
    <section
      ref={list}
      className={styles.services}
      aria-label={t('instance.services')}
      onKeyDown={moveBetweenRows}
    >
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
            ref={search}
            type="search"
            aria-label={t('instance.findProfile')}
            placeholder={t('instance.findProfile')}
            leftSection={<IconSearch size={16} aria-hidden />}
            value={words}
            maxLength={200}
            onType={(typed) => {
              setWords(typed)
              // The service that was added has had the focus.
              setAdded(undefined)
            }}
            onKeyDown={onSearchKey}
          />
        </form>
        <ActionIcon
          variant="default"
          size={36}
          aria-label={t('instance.addService')}
          title={t('instance.addService')}
          onClick={add}
        >
          <IconPlus size={18} aria-hidden />
        </ActionIcon>
      </div>
      <VisuallyHidden aria-live="polite">
        {marked &&
          `${t(isOver(marked.each.instanceId) ? 'connection.expiry.renew' : 'connection.connect')}: ${marked.each.profile.displayName} · ${marked.each.service}`}
      </VisuallyHidden>
      {isSearching && matches.length === 0 && services.length === 0 && (
        <p className={page.quiet}>{t('instance.noProfileFound')}</p>
      )}
      <Groups
        top={top}
        matches={matches}
        services={services}
        marked={marked?.key}
        stars={isLong}
        added={added}
      />
      {adding && (
        <AddServiceDialog
          onClose={(instanceId) => {
            setAdding(false)
            if (instanceId === undefined) return
            setAdded(instanceId)
            void fold.run({ instanceId, folded: false })
            setWords('')
          }}
        />
      )}
    </section>
  )
}

/** Returns the recent and starred profiles to put on top. They stay as they were before the person did something, so that no row moves. */
function useTop(): Parameters<typeof onTop>[1] {
  const { connection, heldBy, shortcuts } = useAppState()
  const [top, setTop] = useState(shortcuts)
  const [isTouched, setTouched] = useState(false)
  const isUsed = isTouched || (connection.state !== 'idle' && heldBy === undefined)
  // Main may read them after the window opened.
  if (top !== shortcuts && !isUsed) setTop(shortcuts)
  useEffect(() => {
    const touch = (): void => {
      setTouched(true)
    }
    window.addEventListener('pointerdown', touch, { once: true })
    window.addEventListener('keydown', touch, { once: true })
    return () => {
      window.removeEventListener('pointerdown', touch)
      window.removeEventListener('keydown', touch)
    }
  }, [])
  return top
}

/** Moves the focus to the next or previous row with the arrow keys. */
function moveBetweenRows(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (step === 0 || !(event.target instanceof HTMLElement) || !event.target.matches('[data-row-control]'))
    return
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-row-control]:not(:disabled)')]
  const next = rows[rows.indexOf(event.target) + step]
  if (next === undefined) return
  event.preventDefault()
  next.focus()
}

/** Returns what the list shows, and its rows from top to bottom. */
function arranged({
  instances,
  index,
  shortcuts,
  shown,
  searched,
  added,
}: Pick<AppState, 'instances' | 'shortcuts'> & {
  /** The profiles to search. */
  readonly index: readonly Searched[]
  readonly shown: Parameters<typeof onTop>[1]
  /** Empty without a search. */
  readonly searched: string
  readonly added: string | undefined
}) {
  const isSearching = searched !== ''
  const all = instances.flatMap(profilesOf)
  // Several services are folded, so that their profiles are out of sight.
  const isLong = all.length > lookedThrough || instances.length > 1
  const top = isLong && !isSearching ? onTop(instances, shown) : []
  const matches = isSearching ? findProfiles(index, searched) : []
  const services = instances.flatMap((instance): Service[] => {
    // Before somebody has signed in, only its name can be found.
    if (isSearching && (instance.profiles.items.length > 0 || !isNamed(instance, searched))) return []
    const fold = shortcuts.folds?.find(({ instanceId }) => instanceId === instance.id)
    const isFolded = fold?.folded ?? (instances.length > 1 && instance.id !== added)
    return [{ instance, rows: profilesOf(instance), isOpen: !isFolded }]
  })
  const visible = [
    ...top.map((each) => ({ each, key: rowKey(topGroup, each) })),
    ...matches.map((each) => ({ each, key: rowKey(matchesGroup, each) })),
    ...services.flatMap(({ instance, rows, isOpen }) =>
      isOpen ? rows.map((each) => ({ each, key: rowKey(instance.id, each) })) : [],
    ),
  ].filter(({ each }) => isUsable(each))
  return { top, matches, services, visible, isLong }
}

function isUsable({ profile }: FoundProfile): boolean {
  return profile.notSupported !== true
}

function isNamed(instance: InstanceSlice, words: string): boolean {
  return containsWords(`${serviceName(instance)} ${instance.id}`, words)
}

interface Service {
  readonly instance: InstanceSlice
  readonly rows: readonly FoundProfile[]
  readonly isOpen: boolean
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
