import { Button } from '@mantine/core'
import { IconLink, IconPaperclip, IconUpload } from '@tabler/icons-react'
import { useEffect, useRef, useState, type DragEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { CommandResult } from '../../../contract/commands'
import type { ErrorReport } from '../../../contract/error-codes'
import { useAppState, useBridge } from '../../store/context'
import { DetailsSection } from '../../ui/details-section'
import { NoService } from '../../ui/no-service'
import { ErrorNote } from '../../ui/error-note'
import { InstanceSelect } from '../../ui/instance-select'
import { ListAndDetails } from '../../ui/list-and-details'
import page from '../../ui/page.module.css'
import { RefreshButton } from '../../ui/refresh-button'
import { useWayBack } from '../../ui/use-way-back'
import { AddLink } from './add-link'
import { AttachmentDetails } from './attachment-details'
import { AttachmentList } from './attachment-list'
import styles from './attachments.module.css'
import { Deletions } from './deletions'
import { FilterBar } from './filter-bar'
import type { May } from './may'
import { Transfers } from './transfers'
import { UploadForm } from './upload-form'
import { useAttachments } from './use-attachments'
import { useMay } from './use-may'
import { useRefreshAfterChanges } from './use-refresh-after-changes'

/** Files and links of an instance, with their details and transfers. */
export function AttachmentsView(): ReactNode {
  const { t } = useTranslation()
  const { instances } = useAppState()
  const { store, browsing } = useAttachments()
  const shown = instances.find(({ id }) => id === browsing.instanceId) ?? instances[0]
  if (shown === undefined) {
    return (
      <>
        <h1>{t('attachments.title')}</h1>
        <NoService icon={IconPaperclip} text={t('attachments.noInstance')} />
      </>
    )
  }
  return (
    <Browser
      key={shown.id}
      instanceId={shown.id}
      instance={
        <InstanceSelect
          shown={shown.id}
          onChoose={(id) => {
            store.show(id)
          }}
        />
      }
    />
  )
}

function Browser({
  instanceId,
  instance,
}: {
  readonly instanceId: string
  readonly instance: ReactNode
}): ReactNode {
  const { t } = useTranslation()
  const { store, browsing } = useAttachments()
  const bridge = useBridge()
  const may = useMay(instanceId)
  const [refusal, setRefusal] = useState<ErrorReport>()
  const [dragging, setDragging] = useState(false)
  const wayBack = useWayBack()
  const view = useRef<HTMLDivElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
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
    const { chosen } = store.state.getState()
    const before = chosen?.kind === 'upload' ? chosen.chosen.files : []
    store.choose({ kind: 'upload', chosen: { files: [...before, ...files], refused } })
  }

  async function chooseFiles(): Promise<void> {
    take(await bridge.run('chooseFiles', { several: true }))
  }

  function close(): void {
    store.choose(undefined)
    wayBack.go()
  }

  /** The focus goes on to the next row. */
  function closeDeleted(): void {
    const next = rowBesideChosen(view.current)
    store.choose(undefined)
    // The details may cover the list until they are closed.
    requestAnimationFrame(() => {
      ;(next ?? heading.current)?.focus()
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
    <div ref={view} className={styles.view} {...drop}>
      <div className={page.head}>
        <h1 ref={heading} tabIndex={-1}>
          {t('attachments.title')}
        </h1>
        {instance}
        <RefreshButton
          label={t('attachments.refresh')}
          loading={browsing.loading}
          onRefresh={() => {
            void store.refresh()
          }}
        />
      </div>
      {refusal && <ErrorNote error={refusal} />}
      <FilterBar may={may}>
        {may.add && (
          <div className={styles.buttons}>
            <Button
              // The details may have the next step.
              variant={browsing.chosen === undefined ? 'filled' : 'default'}
              leftSection={<IconUpload size={16} aria-hidden />}
              onClick={(event) => {
                wayBack.from(event.currentTarget)
                void chooseFiles()
              }}
            >
              {t('attachments.add.files')}
            </Button>
            <Button
              variant="default"
              leftSection={<IconLink size={16} aria-hidden />}
              onClick={(event) => {
                wayBack.from(event.currentTarget)
                store.choose({ kind: 'add-link' })
              }}
            >
              {t('attachments.add.link')}
            </Button>
          </div>
        )}
      </FilterBar>
      <ListAndDetails
        onClose={close}
        list={
          <AttachmentList
            onOpen={(row) => {
              wayBack.from(row)
            }}
          />
        }
        details={
          browsing.chosen && (
            <Details
              instanceId={instanceId}
              may={may}
              onClose={close}
              onDeleted={closeDeleted}
              onChooseMore={() => {
                void chooseFiles()
              }}
            />
          )
        }
        hint={<p className={styles.hint}>{may.add ? t('attachments.hint') : t('attachments.hintReading')}</p>}
      />
      <div className={styles.foot}>
        <Deletions />
        <Transfers />
      </div>
      {dragging && <div className={styles.drop}>{t('attachments.add.drop')}</div>}
    </div>
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

/** Details of the chosen item. Escape closes them. */
function Details({
  instanceId,
  may,
  onClose,
  onDeleted,
  onChooseMore,
}: {
  readonly instanceId: string
  readonly may: May
  readonly onClose: () => void
  readonly onDeleted: () => void
  readonly onChooseMore: () => void
}): ReactNode {
  const { t } = useTranslation()
  const { browsing } = useAttachments()
  const { chosen } = browsing
  const isForm = chosen !== undefined && chosen.kind !== 'attachment'
  const which = chosen?.kind === 'attachment' ? chosen.item.id : chosen?.kind
  return (
    <DetailsSection
      label={t('attachments.details')}
      back={t('attachments.back')}
      close={t('attachments.close')}
      which={which}
      isForm={isForm}
      onClose={onClose}
    >
      {chosen?.kind === 'attachment' && (
        <AttachmentDetails
          key={chosen.item.id}
          instanceId={instanceId}
          attachment={chosen.item}
          may={may}
          onDeleted={onDeleted}
        />
      )}
      {chosen?.kind === 'add-link' && <AddLink instanceId={instanceId} onCancel={onClose} />}
      {chosen?.kind === 'upload' && (
        <UploadForm
          instanceId={instanceId}
          chosen={chosen.chosen}
          onChooseMore={onChooseMore}
          onDone={onClose}
        />
      )}
    </DetailsSection>
  )
}
