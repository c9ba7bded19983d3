import { Button, SegmentedControl } from '@mantine/core'
import { IconFilter, IconFilterFilled } from '@tabler/icons-react'
import { useId, useMemo, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CommandForm } from '../../ui/command-form'
import page from '../../ui/page.module.css'
import { TextField } from '../../ui/text-field'
import styles from './attachments.module.css'
import { useAttachments, everything, isOfAuthor, matching, type Question } from './attachments-store'
import { idsIn, idsText } from './text-fields'
import type { May } from './may'

/** More would not be looked through. */
const maxSuggestions = 100

/**
 * Chooses the query: all attachments, the person's own, those of an author, videos or modules, or those of one video,
 * which members may see.
 */
export function FilterBar({
  may,
  children,
}: {
  readonly may: May
  /** Other controls in the same row. */
  readonly children: ReactNode
}): ReactNode {
  const { t } = useTranslation()
  const { store, browsing } = useAttachments()
  const { question } = browsing
  const isMine = isOfAuthor(question, may.userId)
  const isFiltered =
    question.kind === 'all' &&
    !isMine &&
    (question.filter.userId !== '' || question.filter.videos.length > 0 || question.filter.modules.length > 0)
  const [open, setOpen] = useState(isFiltered)
  /** The query that was shown when the person chose "For a video". */
  const [before, setBefore] = useState<Question>()
  const byVideo = question.kind === 'video' || question === before || !may.list
  // A narrow window shows the icon alone.
  const FilterIcon = isFiltered ? IconFilterFilled : IconFilter
  return (
    <div className={styles.filters}>
      <div className={styles.filterHead}>
        {may.list ? (
          <SegmentedControl
            aria-label={t('attachments.which')}
            value={byVideo ? 'video' : isMine ? 'mine' : 'all'}
            data={[
              { value: 'all', label: t('attachments.all') },
              ...(may.userId === undefined ? [] : [{ value: 'mine', label: t('attachments.mine') }]),
              { value: 'video', label: t('attachments.ofVideo') },
            ]}
            onChange={(value) => {
              setBefore(value === 'video' ? question : undefined)
              if (value === 'all' && (question.kind === 'video' || isMine)) store.ask(everything)
              if (value === 'mine' && !isMine) store.ask(matching({ userId: may.userId ?? '' }))
            }}
          />
        ) : (
          <p className={page.quiet}>{t('attachments.membersOnly')}</p>
        )}
        {!byVideo && (
          <Button
            variant="subtle"
            className={styles.filterButton}
            leftSection={<FilterIcon size={16} aria-hidden />}
            aria-expanded={open}
            onClick={() => {
              setOpen(!open)
            }}
          >
            {isFiltered ? t('attachments.filtered') : t('attachments.filter')}
          </Button>
        )}
        {children}
      </div>
      {byVideo && <VideoField key={JSON.stringify(question)} question={question} may={may} />}
      {!byVideo && open && <FilterFields key={JSON.stringify(question)} question={question} may={may} />}
    </div>
  )
}

/** The authors, videos and modules of the attachments fetched so far, to choose from. */
function useKnownIds(): Readonly<Record<'author' | 'videos' | 'modules', readonly string[]>> {
  const { pages } = useAttachments().browsing
  return useMemo(() => {
    const all = [...pages.values()].flatMap(({ data }) => data)
    const sorted = (ids: readonly string[]): readonly string[] =>
      [...new Set(ids)]
        .filter((id) => id !== '')
        .sort()
        .slice(0, maxSuggestions)
    return {
      author: sorted(all.map(({ userId }) => userId)),
      videos: sorted(all.flatMap(({ videos }) => videos)),
      modules: sorted(all.flatMap(({ modules }) => modules)),
    }
  }, [pages])
}

function VideoField({ question, may }: { readonly question: Question; readonly may: May }): ReactNode {
  const { t } = useTranslation()
  const { store } = useAttachments()
  const known = useKnownIds()
  const listId = useId()
  const [videoId, setVideoId] = useState(question.kind === 'video' ? question.videoId : '')
  return (
    <CommandForm
      isReady={videoId.trim() !== ''}
      submit={t('attachments.apply')}
      variant={may.add ? 'default' : 'filled'}
      inline
      onSubmit={() => {
        store.ask({ kind: 'video', videoId: videoId.trim() })
      }}
    >
      <TextField
        label={t('attachments.video')}
        placeholder={t('attachments.videoHint')}
        list={listId}
        value={videoId}
        maxLength={1024}
        spellCheck={false}
        onType={setVideoId}
      />
      <datalist id={listId}>
        {known.videos.map((id) => (
          <option key={id} value={id} />
        ))}
      </datalist>
    </CommandForm>
  )
}

function FilterFields({ question, may }: { readonly question: Question; readonly may: May }): ReactNode {
  const { t } = useTranslation()
  const { store } = useAttachments()
  const known = useKnownIds()
  const listId = useId()
  const { filter } = question.kind === 'all' ? question : everything
  const [userId, setUserId] = useState(filter.userId)
  const [videos, setVideos] = useState(idsText(filter.videos))
  const [modules, setModules] = useState(idsText(filter.modules))
  const fields = [
    ['author', t('attachments.author'), userId, setUserId, ''],
    ['videos', t('attachments.videos'), videos, setVideos, t('attachments.several')],
    ['modules', t('attachments.modules'), modules, setModules, t('attachments.several')],
  ] as const
  return (
    <CommandForm
      submit={t('attachments.apply')}
      variant="default"
      buttons={<ShowAll />}
      inline
      onSubmit={() => {
        store.ask(matching({ userId: userId.trim(), videos: idsIn(videos), modules: idsIn(modules) }))
      }}
    >
      {fields.map(([name, label, value, set, hint]) => (
        <TextField
          key={name}
          label={label}
          placeholder={hint}
          list={`${listId}${name}`}
          value={value}
          maxLength={1024}
          spellCheck={false}
          onType={set}
        />
      ))}
      <datalist id={`${listId}author`}>
        {known.author.map((id) => (
          <option key={id} value={id}>
            {id === may.userId ? t('attachments.you') : id}
          </option>
        ))}
      </datalist>
      <Suggestions id={`${listId}videos`} typed={videos} known={known.videos} />
      <Suggestions id={`${listId}modules`} typed={modules} known={known.modules} />
    </CommandForm>
  )
}

/** Completions of the last of several ids. */
function Suggestions({
  id,
  typed,
  known,
}: {
  readonly id: string
  readonly typed: string
  readonly known: readonly string[]
}): ReactNode {
  const before = idsIn(typed.slice(0, typed.lastIndexOf(',') + 1))
  return (
    <datalist id={id}>
      {known
        .filter((each) => !before.includes(each))
        .map((each) => (
          <option key={each} value={idsText([...before, each])} />
        ))}
    </datalist>
  )
}

/** Button that removes the filter. */
export function ShowAll(): ReactNode {
  const { t } = useTranslation()
  const { store } = useAttachments()
  return (
    <Button
      variant="default"
      onClick={() => {
        store.ask(everything)
      }}
    >
      {t('attachments.showAll')}
    </Button>
  )
}
