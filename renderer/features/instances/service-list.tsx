import { ActionIcon, Button } from '@mantine/core'
import { IconPlus, IconSearch } from '@tabler/icons-react'
import { memo, useDeferredValue, useId, useRef, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ipcError } from '../../store/ipc-error'
import { useAppState, useCommand } from '../../store/context'
import { ErrorNote } from '../../ui/error-note'
import page from '../../ui/page.module.css'
import { TextField } from '../../ui/text-field'
import { useWindowAction } from '../../ui/window-actions'
import { AddServiceDialog } from './add-service-dialog'
import { isActive, isSame, lookedThrough, matches, onTop, profilesOf } from './find-profiles'
import { InstanceCard } from './instance-card'
import styles from './instances.module.css'
import { ProfileRows } from './profile-rows'

/** All services with their profiles in one list: searched over all of them, with recent and starred profiles on top. */
export function ServiceList(): ReactNode {
  const { t } = useTranslation()
  const { connection, heldBy, instances, linkAddress } = useAppState()
  const connect = useCommand('connect')
  const [words, setWords] = useState('')
  // The box answers at once, and React renders what is found in short tasks.
  const searched = useDeferredValue(words)
  const [adding, setAdding] = useState(false)
  const [added, setAdded] = useState<string>()
  const search = useRef<HTMLInputElement>(null)
  const all = instances.flatMap(profilesOf)
  const isLong = all.length > lookedThrough
  const failure = ipcError(connect.error, connection.state === 'failed' ? connection.error : undefined)

  useWindowAction('search', () => search.current?.focus())
  const add = (): void => {
    setAdding(true)
  }
  useWindowAction('addService', add)
  // The dialog takes the address.
  if (linkAddress !== undefined && !adding) setAdding(true)

  /** Connects with the first profile that was found. */
  const connectFirst = (): void => {
    if (words.trim() === '') return
    const first = all.find((each) => each.profile.notSupported !== true && matches(each, words))
    if (first === undefined || isActive(first, { connection, heldBy })) return
    const { instanceId, profileId } = first
    void connect.run({ instanceId, profileId, ...(heldBy === undefined ? {} : { takeOver: true }) })
  }

  return (
    <section className={styles.services} aria-label={t('instance.services')}>
      {isLong && (
        <div className={styles.tools}>
          <form
            role="search"
            className={styles.search}
            onSubmit={(event) => {
              event.preventDefault()
              connectFirst()
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
              onType={setWords}
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
      )}
      {failure && <ErrorNote error={failure} />}
      <Groups words={isLong ? searched.trim() : ''} isLong={isLong} added={added} />
      {!isLong && (
        <div>
          <Button
            variant="subtle"
            className={page.textAtStart}
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={add}
          >
            {t('instance.addService')}
          </Button>
        </div>
      )}
      {adding && (
        <AddServiceDialog
          onClose={(instanceId) => {
            setAdding(false)
            if (instanceId === undefined) return
            setAdded(instanceId)
            setWords('')
          }}
        />
      )}
    </section>
  )
}

/** The recent and starred profiles, and the profiles of each service; or those that a search found. */
const Groups = memo(function Groups({
  words,
  isLong,
  added,
}: {
  /** Empty without a search. */
  readonly words: string
  /** There are so many profiles that the recent and starred ones stand on top. */
  readonly isLong: boolean
  /** The instance that was added just now. */
  readonly added: string | undefined
}): ReactNode {
  const { t } = useTranslation()
  const { connection, heldBy, instances, shortcuts } = useAppState()
  const topId = useId()
  // The rows stay where they are when a profile is connected: its place among the recent ones is taken the next time.
  const [recent, setRecent] = useState(shortcuts.recent)
  // Main may read them after the window opened.
  const isIdle = connection.state === 'idle' || heldBy !== undefined
  if (recent.length === 0 && shortcuts.recent.length > 0 && isIdle) setRecent(shortcuts.recent)
  const isSearching = words !== ''
  const all = instances.flatMap(profilesOf)
  const top = isLong && !isSearching ? onTop(instances, { ...shortcuts, recent }) : []
  const found = isSearching ? all.filter((each) => matches(each, words)) : all
  const below = found.filter((each) => !top.some((other) => isSame(other, each)))
  return (
    <>
      {isSearching && found.length === 0 && <p className={page.quiet}>{t('instance.noProfileFound')}</p>}
      {top.length > 0 && (
        <section className={page.card} aria-labelledby={topId}>
          <h2 id={topId} className={styles.groupTitle}>
            {t('instance.recent')}
          </h2>
          <ProfileRows label={t('instance.recent')} rows={top} withService={instances.length > 1} stars />
        </section>
      )}
      {instances.map((instance) => {
        const rows = below.filter(({ instanceId }) => instanceId === instance.id)
        if (isSearching && rows.length === 0) return null
        return (
          <InstanceCard
            key={instance.id}
            instance={instance}
            rows={rows}
            stars={isLong}
            isSearched={isSearching}
            isNew={instance.id === added}
          />
        )
      })}
    </>
  )
})
