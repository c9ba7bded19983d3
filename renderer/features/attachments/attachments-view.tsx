import { Button } from '@mantine/core'
import { IconLink, IconUpload } from '@tabler/icons-react'
import { useEffect, useRef, useState, type DragEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
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
import { useAttachments } from './attachments-store'
import { Deletions } from './deletions'
import { FilterBar } from './filter-bar'
import { useMay } from './may'
import { Transfers } from './transfers'
import { UploadForm } from './upload-form'
import { useRefreshAfterChanges } from './use-refresh-after-changes'

/** Files and links of an instance, with their details and transfers. */
export function AttachmentsView(): ReactNode {
  const { store, browsing } = useAttachments()
  return (
    <ServiceView
      wanted={browsing.instanceId}
      onChoose={(id) => {
        store.show(id)
      }}
    >
      {(instanceId, select) => <Browser key={instanceId} instanceId={instanceId} select={select} />}
    </ServiceView>
  )
}

function Browser({
  instanceId,
  select,
}: {
  readonly instanceId: string
  readonly select: ReactNode
}): ReactNode {
  const { t } = useTranslation()
  const { store, browsing } = useAttachments()
  const { chosen } = browsing
  const bridge = useBridge()
  const may = useMay(instanceId)
  const [refusal, setRefusal] = useState<ErrorReport>()
  const [dragging, setDragging] = useState(false)
  const view = useRef<HTMLDivElement>(null)
  useRefreshAfterChanges(instanceId)
  useEffect(() => {
    store.show(instanceId)
    if (may !== undefined) store.begin(may.list)
  }, [store, instanceId, may])
  if (may === undefined) return <h1>{t('attachments.title')}</h1>

  function take(result: CommandResult<'chooseFiles'>): void {
    setRefusal(result.ok ? undefined : result.error)
    if (!result.ok) return
    const { files, refused } = result.value
    if (files.length + refused.length === 0) return
    // Files may have been chosen since the last render.
    const latest = store.state.getState().chosen
    const before = latest?.kind === 'upload' ? latest.chosen.files : []
    store.choose({ kind: 'upload', chosen: { files: [...before, ...files], refused } })
  }

  async function chooseFiles(): Promise<void> {
    take(await bridge.run('chooseFiles', { several: true }))
  }

  function close(): void {
    store.choose(undefined)
  }

  /** The focus goes on to the next row. */
  function closeDeleted(): void {
    const next = rowBesideChosen(view.current)
    store.choose(undefined)
    // The details may cover the list until they are closed.
    requestAnimationFrame(() => {
      ;(next ?? view.current?.querySelector('h1'))?.focus()
    })
  }

  const drop = may.add
    ? {
        onDragOver(event: DragEvent): void {
          if (!event.dataTransfer.types.includes('Files')) return
          event.preventDefault()
          event.dataTransfer.dropEffect = 'copy'
          setDragging(true)
        },
        onDragLeave(event: DragEvent): void {
          if (event.relatedTarget === null || !event.currentTarget.contains(event.relatedTarget as Node)) {
            setDragging(false)
          }
        },
        onDrop(event: DragEvent): void {
          event.preventDefault()
          setDragging(false)
          const files = [...event.dataTransfer.files]
          if (files.length > 0) void bridge.offerFiles(files).then(take)
        },
      }
    : {}

  return (
    <BrowserView
      view={view}
      name="attachments"
      select={select}
      isLoading={browsing.loading}
      onRefresh={() => void store.refresh()}
      status={refusal && <ErrorNote error={refusal} />}
      filter={
        <FilterBar may={may}>
          {may.add && (
            <div className={styles.buttons}>
              <Button
                // The details may have the next step.
                variant={chosen === undefined ? 'filled' : 'default'}
                leftSection={<IconUpload size={16} aria-hidden />}
                onClick={() => void chooseFiles()}
              >
                {t('attachments.add.files')}
              </Button>
              <Button
                variant="default"
                leftSection={<IconLink size={16} aria-hidden />}
                onClick={() => {
                  store.choose({ kind: 'add-link' })
                }}
              >
                {t('attachments.add.link')}
              </Button>
            </div>
          )}
        </FilterBar>
      }
      list={<AttachmentList may={may} />}
      details={
        chosen && {
          which: chosen.kind === 'attachment' ? chosen.item.id : chosen.kind,
          isForm: chosen.kind !== 'attachment',
          content: (
            <>
              {chosen.kind === 'attachment' && (
                <AttachmentDetails
                  instanceId={instanceId}
                  attachment={chosen.item}
                  may={may}
                  onDeleted={closeDeleted}
                />
              )}
              {chosen.kind === 'add-link' && <AddLink instanceId={instanceId} onCancel={close} />}
              {chosen.kind === 'upload' && (
                <UploadForm
                  instanceId={instanceId}
                  chosen={chosen.chosen}
                  onChooseMore={() => void chooseFiles()}
                  onDone={close}
                />
              )}
            </>
          ),
        }
      }
      hint={<p className={page.hint}>{may.add ? t('attachments.hint') : t('attachments.hintReading')}</p>}
      onClose={close}
      foot={
        <>
          <div className={styles.foot}>
            <Deletions />
            <Transfers />
          </div>
          {dragging && <div className={styles.drop}>{t('attachments.add.drop')}</div>}
        </>
      }
      {...drop}
    />
  )
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
