import { Button } from '@mantine/core'
import { IconCircleFilled, IconMessage, IconRefresh } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { InstanceSlice, MessageItem } from '../../../contract/state'
import { serviceName } from '../../../contract/service-name'
import { useAppState, useCommand } from '../../store/context'
import { AsOf } from '../../ui/as-of'
import { Empty } from '../../ui/empty'
import { ErrorNote } from '../../ui/error-note'
import { Loading } from '../../ui/loading'
import page from '../../ui/page.module.css'
import { Unreadable } from '../../ui/unreadable'
import { useDay } from '../../ui/use-day'
import { useRetryWhileCached } from '../../ui/use-retry-while-cached'
import { MessageText } from './message-text'
import styles from './messages.module.css'
import { useReadMessages } from './use-read-messages'

/** Messages of all services, newest first. Their texts are never rendered as markup. */
export function MessagesView(): ReactNode {
  const { t } = useTranslation()
  const state = useAppState()
  const instances = state.instances.filter(({ hasNoMessages }) => hasNoMessages !== true)
  const unread = useReadMessages(instances)
  const refresh = useCommand('refreshMessages')
  const signedIn = instances.filter(({ login }) => login === 'signed-in')
  const loading = instances.some(({ messages }) => messages.status === 'loading')
  const old = instances.filter(({ messages }) => messages.cachedAt !== undefined)
  useRetryWhileCached(old.length > 0, () => {
    for (const { id } of old) void refresh.run({ instanceId: id })
  })
  return (
    <>
      <div className={page.head}>
        <h1>{t('messages.title')}</h1>
        {signedIn.length > 0 && (
          <Button
            variant="subtle"
            className={page.textAtEnd}
            leftSection={<IconRefresh size={16} aria-hidden />}
            loading={loading}
            onClick={() => {
              for (const { id } of signedIn) void refresh.run({ instanceId: id })
            }}
          >
            {t('messages.refresh')}
          </Button>
        )}
      </div>
      {refresh.error && <ErrorNote error={refresh.error} />}
      {instances.map((instance) => (
        <Trouble key={instance.id} instance={instance} />
      ))}
      <MessageList instances={instances} unread={unread} loading={loading} />
    </>
  )
}

/** Says why messages of this instance may be missing or old. */
function Trouble({ instance }: { readonly instance: InstanceSlice }): ReactNode {
  const { id, login, messages } = instance
  const { t } = useTranslation()
  return (
    <>
      {messages.cachedAt !== undefined ? (
        <AsOf service={id} cachedAt={messages.cachedAt} />
      ) : messages.error !== undefined ? (
        <ErrorNote error={messages.error} />
      ) : (
        login === 'signed-out' && (
          <p className={page.quiet}>{t('messages.signedOut', { instance: serviceName(instance) })}</p>
        )
      )}
      <Unreadable count={messages.unreadable ?? 0} />
    </>
  )
}

function MessageList({
  instances,
  unread,
  loading,
}: {
  readonly instances: readonly InstanceSlice[]
  /** Ids of the messages to mark as unread. */
  readonly unread: ReadonlySet<string>
  readonly loading: boolean
}): ReactNode {
  const { t } = useTranslation()
  const day = useDay('long')
  const messages = newestFirst(instances)
  if (messages.length === 0 && loading) return <Loading label={t('messages.loading')} />
  if (messages.length === 0) {
    // "No messages" only if a service was asked and had none.
    if (!instances.some((instance) => instance.messages.status === 'loaded')) return null
    return (
      <Empty icon={IconMessage}>
        <h2>{t('messages.noneTitle')}</h2>
        <p>{t('messages.noneText')}</p>
      </Empty>
    )
  }
  return (
    <ul aria-label={t('messages.title')} className={styles.list}>
      {messages.map(({ key, from, id, dateTime, message }) => (
        <li key={key} className={page.card}>
          <div className={styles.head}>
            {unread.has(id) && (
              <span className={styles.unread}>
                <IconCircleFilled size={8} aria-hidden />
                {t('messages.new')}
              </span>
            )}
            <span className={styles.from}>{t('messages.from', { instance: from })}</span>
            <time dateTime={new Date(dateTime).toISOString()}>{day(dateTime)}</time>
          </div>
          <MessageText text={message} />
        </li>
      ))}
    </ul>
  )
}

/**
 * Returns the messages of all instances, newest first, each with its instance and a key that it keeps when others arrive. A
 * service may send the same message twice.
 */
function newestFirst(
  instances: readonly InstanceSlice[],
): readonly (MessageItem & { readonly key: string; readonly from: string })[] {
  const alike = new Map<string, number>()
  return instances
    .flatMap((instance) =>
      instance.messages.items.map((message) => {
        const name = `${instance.id} ${message.id}`
        const before = alike.get(name) ?? 0
        alike.set(name, before + 1)
        return { ...message, key: `${name} ${before}`, from: serviceName(instance) }
      }),
    )
    .sort((one, other) => other.dateTime - one.dateTime)
}
