import { useDeferredValue, useEffect, useMemo, useState } from 'react'
import type { AppState, InstanceSlice } from '../../../contract/state'
import { serviceName } from '../../../contract/service-name'
import { useAppState } from '../../store/context'
import { useStart } from '../../store/ended-access'
import { containsWords } from '../../ui/contains-words'
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
import { rowKey } from './profile-rows'

export const topGroup = 'top'
export const matchesGroup = 'matches'

/** A service in the list. */
export interface Service {
  readonly instance: InstanceSlice
  readonly rows: readonly FoundProfile[]
  readonly isOpen: boolean
}

interface Row {
  readonly each: FoundProfile
  readonly key: string
}

/** The list as it is searched. */
export interface ProfileSearch {
  /** What is in the search field. */
  readonly words: string
  readonly search: (words: string) => void
  readonly isSearching: boolean
  readonly groups: ReturnType<typeof arranged>
  /** The row that Enter in the search field connects. */
  readonly marked: Row | undefined
  /** Marks the next (1) or the previous (-1) row. */
  readonly moveMark: (step: 1 | -1) => void
  readonly connectMarked: () => Promise<void>
}

/** Returns the groups of the list, and the search over all services. `added`: the service that was added just now. */
export function useProfileSearch(added: string | undefined): ProfileSearch {
  const { connection, heldBy, instances, shortcuts } = useAppState()
  const start = useStart()
  const [words, search] = useState('')
  // The box answers at once, and React renders what is found in short tasks.
  const searched = useDeferredValue(words).trim()
  const [moved, setMoved] = useState<{ readonly words: string; readonly key: string }>()
  const onTopNow = useTop()
  const isSearching = searched !== ''
  const index = useMemo(() => (isSearching ? searchedProfiles(instances) : []), [instances, isSearching])
  // The same objects while only the words change, so that typing renders no row.
  const groups = useMemo(
    () => arranged({ instances, index, shortcuts, onTopNow, searched, added }),
    [instances, index, shortcuts, onTopNow, searched, added],
  )
  const { visible } = groups
  // A search marks its first match; the arrow keys move the mark.
  const chosen = moved?.words === searched ? visible.find(({ key }) => key === moved.key) : undefined
  const marked = chosen ?? (isSearching ? visible[0] : undefined)

  return {
    words,
    search,
    isSearching,
    groups,
    marked,
    moveMark(step) {
      const index = marked === undefined ? -1 : visible.indexOf(marked)
      const next = visible[Math.min(visible.length - 1, Math.max(0, index + step))]
      if (next !== undefined) setMoved({ words: searched, key: next.key })
    },
    async connectMarked() {
      // Enter may come before what was typed last is found and marked.
      const isLate = words.trim() !== searched
      const each = isLate ? findProfiles(searchedProfiles(instances), words).find(isUsable) : marked?.each
      if (each === undefined || isActive(each, { connection, heldBy })) return
      const { instanceId, profileId } = each
      await start({ instanceId, profileId }, { isHeld: heldBy !== undefined })
    },
  }
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

/** Returns what the list shows, and its rows from top to bottom. */
function arranged({
  instances,
  index,
  shortcuts,
  onTopNow,
  searched,
  added,
}: Pick<AppState, 'instances' | 'shortcuts'> & {
  /** The profiles to search. */
  readonly index: readonly Searched[]
  readonly onTopNow: Parameters<typeof onTop>[1]
  /** Empty without a search. */
  readonly searched: string
  readonly added: string | undefined
}) {
  const isSearching = searched !== ''
  const all = instances.flatMap(profilesOf)
  // Several services are folded, so that their profiles are out of sight.
  const isLong = all.length > lookedThrough || instances.length > 1
  const top = isLong && !isSearching ? onTop(instances, onTopNow) : []
  const matches = isSearching ? findProfiles(index, searched) : []
  const services = instances.flatMap((instance): Service[] => {
    // Before somebody has signed in, only its name can be found.
    if (isSearching && (instance.profiles.items.length > 0 || !isNamed(instance, searched))) return []
    const fold = shortcuts.folds?.find(({ instanceId }) => instanceId === instance.id)
    const isFolded = fold?.folded ?? (instances.length > 1 && instance.id !== added)
    return [{ instance, rows: profilesOf(instance), isOpen: !isFolded }]
  })
  const visible: readonly Row[] = [
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
