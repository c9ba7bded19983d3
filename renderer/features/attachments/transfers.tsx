import { Button, Progress } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { TransferItem } from '../../../contract/attachments'
import type { ErrorReport } from '../../../contract/error-codes'
import { useAppState, useBridge } from '../../store/context'
import { useQueryClient } from '../../store/queries'
import { CommandButton } from '../../ui/command-button'
import { ErrorNote } from '../../ui/error-note'
import page from '../../ui/page.module.css'
import { useErrorText } from '../../ui/use-error-text'
import { bytesText, timeText } from './amounts'
import styles from './attachments.module.css'
import { invalidateLists, matching, newChoices, useChoices } from './use-attachments'

const ended: readonly TransferItem['state'][] = ['done', 'unconfirmed', 'cancelled']

/** Uploads and downloads, newest first, until they are dismissed. */
export function Transfers(): ReactNode {
  const { t } = useTranslation()
  const { transfers } = useAppState()
  const bridge = useBridge()
  const [open, { toggle }] = useDisclosure(true)
  const Mark = open ? IconChevronDown : IconChevronRight
  if (transfers.length === 0) return null
  const finished = transfers.filter(({ state }) => ended.includes(state))
  return (
    <section className={styles.under} aria-label={t('attachments.transfer.title')}>
      <div className={page.head}>
        <h2>
          <button type="button" className={styles.fold} aria-expanded={open} onClick={toggle}>
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
      {error && <Failure error={error} />}
      {left !== undefined && <Leftover transfer={transfer} left={left} />}
    </li>
  )
}

/** One line with what went wrong, which leaves room for the list; the rest is under More. */
function Failure({ error }: { readonly error: ErrorReport }): ReactNode {
  const { t } = useTranslation()
  const { what } = useErrorText(error)
  const [open, { toggle }] = useDisclosure()
  return (
    <>
      <p role="alert" className={styles.failure}>
        {what}
      </p>
      <div>
        <Button
          variant="subtle"
          size="compact-sm"
          className={page.textAtStart}
          aria-expanded={open}
          onClick={toggle}
        >
          {t('error.more')}
        </Button>
      </div>
      {open && <ErrorNote error={error} tone="notice" />}
    </>
  )
}

/** Says what an upload left at the service, and links to it. */
function Leftover({
  transfer: { instanceId, attachmentId = '' },
  left,
}: {
  readonly transfer: TransferItem
  readonly left: NonNullable<TransferItem['left']>
}): ReactNode {
  const { t } = useTranslation()
  const bridge = useBridge()
  const store = useChoices()
  const client = useQueryClient()

  async function show(): Promise<void> {
    const identity = await bridge.run('attachmentsIdentity', { instanceId })
    const userId = identity.ok ? (identity.value.userId ?? '') : ''
    const shown = newChoices(instanceId, matching({ userId }))
    store.setState(shown, true)
    void invalidateLists(client, instanceId, 'active')
    if (left !== 'identified') return
    const found = await bridge.run('showAttachment', { instanceId, attachmentId })
    // The person may have gone on, such as to another service.
    if (found.ok && store.getState() === shown)
      store.setState({ chosen: { kind: 'attachment', item: found.value.data } })
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
  if (state === 'done') return t(`attachments.transfer.${kind === 'download' ? 'downloaded' : 'uploaded'}`)
  if (state !== 'transferring') return t(`attachments.transfer.${state}`)
  if (kind !== 'download' && bytes === totalBytes) return t('attachments.transfer.sent')
  const size = (amount: number): string => bytesText(amount, i18n.language)
  const facts = [
    totalBytes === undefined
      ? size(bytes)
      : t('attachments.transfer.amount', { bytes: size(bytes), total: size(totalBytes) }),
    bytesPerSecond !== undefined && t('attachments.transfer.rate', { rate: size(bytesPerSecond) }),
    secondsLeft !== undefined &&
      t('attachments.transfer.left', { time: timeText(secondsLeft, i18n.language) }),
  ]
  return facts.filter((fact) => fact !== false).join(' · ')
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
  const isEnded = ended.includes(state) || state === 'failed'
  const commands = [
    ...(state === 'done' && opens === 'file' ? [['open', 'openDownload'] as const] : []),
    ...(state === 'done' && opens !== undefined ? [['show', 'showDownload'] as const] : []),
    ...(state === 'failed' || state === 'cancelled' ? [['retry', 'retryTransfer'] as const] : []),
    ...(state === 'waiting' ? [['retryNow', 'retryTransfer'] as const] : []),
    isEnded ? (['dismiss', 'dismissTransfer'] as const) : (['cancel', 'cancelTransfer'] as const),
  ]
  return (
    <div className={page.buttons}>
      {commands.map(([name, command]) => (
        <CommandButton key={name} command={command} input={{ transferId: id }} size="compact-sm">
          {t(`attachments.transfer.${name}`)}
        </CommandButton>
      ))}
    </div>
  )
}
