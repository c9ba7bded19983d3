import { Button } from '@mantine/core'
import { IconLink, IconUpload } from '@tabler/icons-react'
import { useRef, useState, type DOMAttributes, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { CommandResult } from '../../../contract/commands'
import type { ErrorReport } from '../../../contract/error-codes'
import { useBridge } from '../../store/context'
import { BrowserView } from '../../ui/browser-view'
import { ErrorNote } from '../../ui/error-note'
import { ServiceView } from '../../ui/service-view'
import page from '../../ui/page.module.css'
import { AddLink } from './add-link'
import { AttachmentDetails } from './attachment-details'
import { AttachmentList } from './attachment-list'
import styles from './attachments.module.css'
import { Deletions } from './deletions'
import { FilterBar } from './filter-bar'
import { may as mayWith, useMay, type May } from './may'
import { Transfers } from './transfers'
import { UploadForm } from './upload-form'
import {
  type Attachments,
  AttachmentsContext,
  newChoices,
  newForm,
  useChoices,
  useAttachments,
  useFetchedAttachments,
} from './use-attachments'
import { useRefreshAfterChanges } from './use-refresh-after-changes'

/** What a person may do while that isn't known. */
const nothing = mayWith({ roles: [] })

/** Files and links of an instance, with their details and transfers. */
export function AttachmentsView(): ReactNode {
  const store = useChoices()
  return (
    <ServiceView
      wanted={useStore(store).instanceId}
      onChoose={(id) => {
        store.setState(newChoices(id), true)
      }}
    >
      {(instanceId, select) => <Browser instanceId={instanceId} select={select} />}
    </ServiceView>
  )
}

/** The view of an instance. It stays when another one is chosen, and with it the focus. */
function Browser({
  instanceId,
  select,
}: {
  readonly instanceId: string
  /** Chooses the instance. */
  readonly select: ReactNode
}): ReactNode {
  const { t } = useTranslation()
  const may = useMay(instanceId)
  const fetched = useFetchedAttachments(instanceId, may ?? nothing)
  const { chosen, choose, loading, refresh } = fetched
  const { refusal, take, chooseFiles } = useFilesToUpload(instanceId, choose)
  const { isDragging, dropArea } = useDroppedFiles(take)
  const view = useRef<HTMLDivElement>(null)

  /** The focus goes on to the next row. */
  function closeDeleted(): void {
    const next = rowBesideChosen(view.current)
    choose(undefined)
    // The details may cover the list until they are closed.
    requestAnimationFrame(() => {
      ;(next ?? view.current?.querySelector('h1'))?.focus()
    })
  }

  return (
    <AttachmentsContext value={fetched}>
      <BrowserView
        view={view}
        name="attachments"
        select={select}
        isLoading={loading}
        onRefresh={() => void refresh()}
        status={refusal && <ErrorNote error={refusal} />}
        filter={
          may && (
            <FilterBar key={instanceId} may={may}>
              {may.add && <AddButtons chooseFiles={chooseFiles} />}
            </FilterBar>
          )
        }
        list={may && <AttachmentList may={may} />}
        details={
          chosen &&
          may && {
            which: chosen.kind === 'attachment' ? chosen.item.id : chosen.kind,
            isForm: chosen.kind !== 'attachment',
            content: (
              <Details
                instanceId={instanceId}
                chosen={chosen}
                may={may}
                chooseFiles={chooseFiles}
                onDeleted={closeDeleted}
                onClose={() => {
                  choose(undefined)
                }}
              />
            ),
          }
        }
        hint={
          may && <p className={page.hint}>{t(may.add ? 'attachments.hint' : 'attachments.hintReading')}</p>
        }
        onClose={() => {
          choose(undefined)
        }}
        foot={
          <>
            <RefreshAfterChanges key={instanceId} />
            <div className={styles.foot}>
              <Deletions />
              <Transfers />
            </div>
            {isDragging && <div className={styles.drop}>{t('attachments.add.drop')}</div>}
          </>
        }
        {...(may?.add ? dropArea : {})}
      />
    </AttachmentsContext>
  )
}

/** Keeps the list of one instance up to date. */
function RefreshAfterChanges(): ReactNode {
  useRefreshAfterChanges(useAttachments())
  return null
}

type Choose = Attachments['choose']

/** The buttons that choose files to upload, or begin a link. */
function AddButtons({ chooseFiles }: { readonly chooseFiles: () => Promise<void> }): ReactNode {
  const { t } = useTranslation()
  const { chosen, choose } = useAttachments()
  // They are the next step where nothing is chosen whose details have one.
  const isNext = chosen === undefined
  const addLink = (): void => {
    if (chosen?.kind !== 'add-link') choose({ kind: 'add-link', ...newForm() })
  }
  return (
    <div className={styles.buttons}>
      <Button
        variant={isNext ? 'filled' : 'default'}
        leftSection={<IconUpload size={16} aria-hidden />}
        onClick={() => void chooseFiles()}
      >
        {t('attachments.add.files')}
      </Button>
      <Button variant="default" leftSection={<IconLink size={16} aria-hidden />} onClick={addLink}>
        {t('attachments.add.link')}
      </Button>
    </div>
  )
}

/** What is chosen: an attachment, a link to add, or files to upload. */
function Details({
  instanceId,
  chosen,
  may,
  chooseFiles,
  onDeleted,
  onClose,
}: {
  readonly instanceId: string
  readonly chosen: NonNullable<Attachments['chosen']>
  readonly may: May
  readonly chooseFiles: () => Promise<void>
  readonly onDeleted: () => void
  readonly onClose: () => void
}): ReactNode {
  switch (chosen.kind) {
    case 'attachment':
      return <AttachmentDetails instanceId={instanceId} item={chosen.item} may={may} onDeleted={onDeleted} />
    case 'add-link':
      return <AddLink instanceId={instanceId} link={chosen} onCancel={onClose} />
    case 'upload':
      return (
        <UploadForm
          instanceId={instanceId}
          upload={chosen}
          onChooseMore={() => void chooseFiles()}
          onCancel={onClose}
        />
      )
  }
}

/** Returns what adds files to those that are about to be uploaded, and why the last ones were refused. */
function useFilesToUpload(
  instanceId: string,
  choose: Choose,
): {
  readonly refusal: ErrorReport | undefined
  readonly take: (result: CommandResult<'chooseFiles'>) => void
  /** Asks for files with the system's dialog. */
  readonly chooseFiles: () => Promise<void>
} {
  const store = useChoices()
  const bridge = useBridge()
  const [refusal, setRefusal] = useState<{ readonly instanceId: string; readonly error: ErrorReport }>()

  function take(result: CommandResult<'chooseFiles'>): void {
    setRefusal(result.ok ? undefined : { instanceId, error: result.error })
    if (!result.ok) return
    const { files, refused } = result.value
    if (files.length + refused.length === 0) return
    // Files may have been chosen since the last render.
    const { chosen: latest } = store.getState()
    const before = latest?.kind === 'upload' ? latest : undefined
    const all = [...(before?.chosen.files ?? []), ...files]
    choose({ ...(before ?? newForm()), kind: 'upload', chosen: { files: all, refused } })
  }

  return {
    // Of another instance, the error is no news here.
    refusal: refusal?.instanceId === instanceId ? refusal.error : undefined,
    take,
    chooseFiles: async () => {
      take(await bridge.run('chooseFiles', { several: true }))
    },
  }
}

/** Returns the handlers of an area that takes dropped files, and whether some are over it. */
function useDroppedFiles(take: (result: CommandResult<'chooseFiles'>) => void): {
  readonly isDragging: boolean
  readonly dropArea: Pick<DOMAttributes<HTMLElement>, 'onDragOver' | 'onDragLeave' | 'onDrop'>
} {
  const bridge = useBridge()
  const [isDragging, setDragging] = useState(false)
  return {
    isDragging,
    dropArea: {
      onDragOver(event) {
        if (!event.dataTransfer.types.includes('Files')) return
        event.preventDefault()
        event.dataTransfer.dropEffect = 'copy'
        setDragging(true)
      },
      onDragLeave(event) {
        if (event.relatedTarget === null || !event.currentTarget.contains(event.relatedTarget as Node)) {
          setDragging(false)
        }
      },
      onDrop(event) {
        setDragging(false)
        // A text is for the field that it is dropped into.
        if (!event.dataTransfer.types.includes('Files')) return
        event.preventDefault()
        const files = [...event.dataTransfer.files]
        if (files.length > 0) void bridge.offerFiles(files).then(take)
      },
    },
  }
}

/** Returns the row after the chosen one, else the one before it, without those that are being deleted. */
function rowBesideChosen(view: HTMLElement | null): HTMLElement | undefined {
  const rows = [...(view?.querySelectorAll<HTMLElement>('[data-row-control]') ?? [])]
  const chosen = rows.findIndex((row) => row.ariaCurrent === 'true')
  const stays = (row: HTMLElement): boolean => row.dataset.deleted === undefined
  return chosen === -1
    ? undefined
    : (rows.slice(chosen + 1).find(stays) ?? rows.slice(0, chosen).findLast(stays))
}
