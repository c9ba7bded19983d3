import { Button, SegmentedControl } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconFilter, IconFilterFilled } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { AttachmentFilter } from '../../../contract/attachments'
import { Choice } from '../../ui/choice'
import { ChooseOrType } from '../../ui/choose-or-type'
import page from '../../ui/page.module.css'
import styles from './attachments.module.css'
import type { May } from './may'
import { asSuggestion, SeveralIds } from './several-ids'
import { everything, isOfAuthor, matching, useAttachments, useSuggestions } from './use-attachments'

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
  const { question, ask } = useAttachments()
  const [firstVideo = ''] = useSuggestions().videos
  const isMine = isOfAuthor(question, may.userId)
  const isFiltered =
    question.kind === 'all' &&
    !isMine &&
    (question.filter.userId !== '' || question.filter.videos.length > 0 || question.filter.modules.length > 0)
  const [open, { toggle }] = useDisclosure(isFiltered)
  const byVideo = question.kind === 'video'
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
              if (value === 'all') ask(everything)
              if (value === 'mine') ask(matching({ userId: may.userId ?? '' }))
              if (value === 'video') ask({ kind: 'video', videoId: firstVideo })
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
            onClick={toggle}
          >
            {isFiltered ? t('attachments.filtered') : t('attachments.filter')}
          </Button>
        )}
        {children}
      </div>
      {byVideo && <VideoChoice videoId={question.videoId} />}
      {!byVideo && open && <FilterChoices filter={question.filter} may={may} />}
    </div>
  )
}

/** Chooses one of the videos that the lists have shown, or another one by its id. */
function VideoChoice({ videoId }: { readonly videoId: string }): ReactNode {
  const { t } = useTranslation()
  const { ask } = useAttachments()
  const suggestions = useSuggestions()
  return (
    <div className={styles.choices}>
      <ChooseOrType
        label={t('attachments.video')}
        placeholder={t('attachments.chooseOrType')}
        options={suggestions.videos.map(asSuggestion)}
        typed={(id) => [asSuggestion(id)]}
        value={videoId}
        acceptsOnBlur
        onChoose={(id) => {
          ask({ kind: 'video', videoId: id })
        }}
      />
    </div>
  )
}

/** Chooses authors, videos and modules among those that the lists have shown. Each choice applies at once. */
function FilterChoices({ filter, may }: { readonly filter: AttachmentFilter; readonly may: May }): ReactNode {
  const { t } = useTranslation()
  const attachments = useAttachments()
  const { authors, videos, modules } = useSuggestions()
  const isFiltered = filter.userId !== '' || filter.videos.length > 0 || filter.modules.length > 0
  const ask = (changed: Partial<AttachmentFilter>): void => {
    attachments.ask(matching({ ...filter, ...changed }))
  }
  const people =
    filter.userId === '' || authors.includes(filter.userId) ? authors : [filter.userId, ...authors]
  return (
    <div className={styles.choices}>
      <Choice
        label={t('attachments.author')}
        options={[
          { value: '', label: t('attachments.everyone') },
          ...people.map((id) => ({
            value: id,
            label: id === may.userId ? `${id} (${t('attachments.you')})` : id,
          })),
        ]}
        value={filter.userId}
        onChoose={(userId) => {
          ask({ userId })
        }}
      />
      <SeveralIds
        label={t('attachments.videos')}
        placeholder={t(filter.videos.length === 0 ? 'attachments.allVideos' : 'attachments.addToFilter')}
        suggestions={videos}
        chosen={filter.videos}
        onChange={(chosen) => {
          ask({ videos: chosen })
        }}
      />
      <SeveralIds
        label={t('attachments.modules')}
        placeholder={t(filter.modules.length === 0 ? 'attachments.allModules' : 'attachments.addToFilter')}
        suggestions={modules}
        chosen={filter.modules}
        onChange={(chosen) => {
          ask({ modules: chosen })
        }}
      />
      {isFiltered && (
        <div>
          <ShowAll />
        </div>
      )}
    </div>
  )
}

/** Button that removes the filter. */
export function ShowAll(): ReactNode {
  const { t } = useTranslation()
  const { ask } = useAttachments()
  return (
    <Button
      variant="default"
      onClick={() => {
        ask(everything)
      }}
    >
      {t('attachments.showAll')}
    </Button>
  )
}
