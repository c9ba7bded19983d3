import { Button, Progress } from '@mantine/core'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { TransferItem } from '../../../contract/attachments'
import { useAppState, useBridge, useCommand } from '../../store/context'
import { ErrorNote } from '../../ui/error-note'
import page from '../../ui/page.module.css'
import { bytesText, timeText } from './amounts'
import styles from './attachments.module.css'
import { everything } from './attachments-store'
import { useAttachments } from './use-attachments'

const ended: readonly TransferItem['state'][] = ['done', 'unconfirmed', 'cancelled']

/** Uploads and downloads, newest first, until they are dismissed. */
export function Transfers(): ReactNode {
  const { t } = useTranslation()
  const { transfers } = useAppState()
  const bridge = useBridge()
  const [open, setOpen] = useState(true)
  const Mark = open ? IconChevronDown : IconChevronRight
  if (transfers.length === 0) return null
  const finished = transfers.filter(({ state }) => ended.includes(state))
  return (
    <section className={styles.under} aria-label={t('attachments.transfer.title')}>
      <div className={page.head}>
        <h2>
          <button
            type="button"
            className={styles.fold}
            aria-expanded={open}
            onClick={() => {
              setOpen(!open)
            }}
          >
            <Mark size={16} aria-hidden />
            {t('attachments.transfer.several', { count: transfers.length })}
          </button>
        </h2>
        {finished.length > 1 && (
          <Button
            variant="subtle"
            size="compact-sm"
            onClick={() => {
              for (const { id } of finished) void bridge.run('dismissTransfer', { transferId: id })
            }}
          >
            {t('attachments.transfer.dismissAll')}
          </Button>
        )}
      </div>
      {open && (
        <ul>
          {transfers.toReversed().map((transfer) => (
            <TransferRow key={transfer.id} transfer={transfer} />
          ))}
        </ul>
      )}
    </section>
  )
}

function TransferRow({ transfer }: { readonly transfer: TransferItem }): ReactNode {
  const { t } = useTranslation()
  const { kind, title, state, error, left, withoutLinks } = transfer
  return (
    <li className={styles.transfer} data-state={state}>
      <div className={styles.transferHead}>
        <div className={styles.transferText}>
          <p>
            {t(`attachments.transfer.${kind}`)}: <bdi>{title}</bdi>
          </p>
          <p className={styles.transferState}>
            <Words transfer={transfer} />
          </p>
        </div>
        <TransferButtons transfer={transfer} />
      </div>
      <Bar transfer={transfer} />
      {withoutLinks === true && (
        <p className={styles.transferState}>{t('attachments.transfer.withoutLinks')}</p>
      )}
      {error && <ErrorNote error={error} />}
      {left !== undefined && <Left transfer={transfer} left={left} />}
    </li>
  )
}

/** Says what an upload left at the service, and links to it. */
function Left({
  transfer: { instanceId, attachmentId = '' },
  left,
}: {
  readonly transfer: TransferItem
  readonly left: NonNullable<TransferItem['left']>
}): ReactNode {
  const { t } = useTranslation()
  const bridge = useBridge()
  const { store } = useAttachments()

  async function show(): Promise<void> {
    const identity = await bridge.run('attachmentsIdentity', { instanceId })
    const userId = identity.ok ? (identity.value.userId ?? '') : ''
    store.show(instanceId)
    store.ask({ kind: 'all', filter: { ...everything.filter, userId } })
    if (left !== 'identified') return
    const shown = await bridge.run('showAttachment', { instanceId, attachmentId })
    if (shown.ok) store.choose({ kind: 'attachment', item: shown.value.data })
  }

  return (
    <div className={styles.left}>
      <p>
        {left === 'identified'
          ? t('attachments.transfer.leftIdentified')
          : t('attachments.transfer.leftUnidentified')}
      </p>
      <Button variant="default" size="compact-sm" onClick={() => void show()}>
        {t('attachments.transfer.showLeft')}
      </Button>
    </div>
  )
}

/** State of a transfer in words. Screen readers announce the state only, because amounts change all the time. */
function Words({ transfer }: { readonly transfer: TransferItem }): ReactNode {
  const { t, i18n } = useTranslation()
  const { kind, state, bytes, totalBytes, bytesPerSecond, secondsLeft } = transfer
  switch (state) {
    case 'queued':
      return t('attachments.transfer.queued')
    case 'preparing':
      return t('attachments.transfer.preparing')
    case 'waiting':
      return t('attachments.transfer.waiting')
    case 'confirming':
      return t('attachments.transfer.confirming')
    case 'unconfirmed':
      return t('attachments.transfer.unconfirmed')
    case 'cancelled':
      return t('attachments.transfer.cancelled')
    case 'failed':
      return t('attachments.transfer.failed')
    case 'done':
      return kind === 'download' ? t('attachments.transfer.downloaded') : t('attachments.transfer.uploaded')
    case 'transferring': {
      if (kind !== 'download' && bytes === totalBytes) return t('attachments.transfer.sent')
      const size = (amount: number): string => bytesText(amount, i18n.language)
      const amount =
        totalBytes === undefined
          ? size(bytes)
          : t('attachments.transfer.amount', { bytes: size(bytes), total: size(totalBytes) })
      const rate =
        bytesPerSecond === undefined ? [] : [t('attachments.transfer.rate', { rate: size(bytesPerSecond) })]
      const left =
        secondsLeft === undefined
          ? []
          : [t('attachments.transfer.left', { time: timeText(secondsLeft, i18n.language) })]
      return [amount, ...rate, ...left].join(' · ')
    }
  }
}

function Bar({
  transfer: { title, state, bytes, totalBytes },
}: {
  readonly transfer: TransferItem
}): ReactNode {
  const { t } = useTranslation()
  if (state !== 'transferring' && state !== 'confirming' && state !== 'waiting') return null
  const done = state === 'confirming' || totalBytes === 0 ? 100 : (100 * bytes) / (totalBytes ?? Infinity)
  return (
    <Progress.Root size="sm">
      <Progress.Section
        value={Math.min(100, done)}
        animated={totalBytes === undefined || state === 'confirming'}
        aria-label={t('attachments.transfer.progress', { title })}
      />
    </Progress.Root>
  )
}

function TransferButtons({ transfer: { id, state, opens } }: { readonly transfer: TransferItem }): ReactNode {
  const { t } = useTranslation()
  const cancel = useCommand('cancelTransfer')
  const retry = useCommand('retryTransfer')
  const dismiss = useCommand('dismissTransfer')
  const open = useCommand('openDownload')
  const show = useCommand('showDownload')
  const one = { transferId: id }
  const isEnded = ended.includes(state) || state === 'failed'
  const commands = [
    ...(state === 'done' && opens === 'file' ? [['open', open] as const] : []),
    ...(state === 'done' && opens !== undefined ? [['show', show] as const] : []),
    ...(state === 'failed' || state === 'cancelled' ? [['retry', retry] as const] : []),
    ...(state === 'waiting' ? [['retryNow', retry] as const] : []),
    isEnded ? (['dismiss', dismiss] as const) : (['cancel', cancel] as const),
  ]
  const error = open.error ?? show.error ?? retry.error ?? cancel.error ?? dismiss.error
  return (
    <div className={styles.transferButtons}>
      {commands.map(([name, command]) => (
        <Button
          key={name}
          variant="default"
          size="compact-sm"
          loading={command.pending}
          onClick={() => void command.run(one)}
        >
          {t(`attachments.transfer.${name}`)}
        </Button>
      ))}
      {error && <ErrorNote error={error} />}
    </div>
  )
}
