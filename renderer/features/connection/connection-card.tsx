import { Button } from '@mantine/core'
import { useEffect, useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { type ConnectionState, toneOf, wordOf } from '../../../contract/connection'
import type { InstanceSlice } from '../../../contract/state'
import { useAppState, useCommand } from '../../store/context'
import { ErrorNote } from '../../ui/error-note'
import page from '../../ui/page.module.css'
import { ConnectButton } from './connect-button'
import styles from './connection.module.css'
import { ConnectionDetails, remoteText } from './connection-details'
import { ExpiryLine } from './expiry-line'
import { MoreDetails } from './more-details'
import { TrafficBlocked } from './traffic-blocked'
import { isUnderWay, sentenceOf } from './describe'
import { Mark } from './mark'

/**
 * Am I connected, and through what: a mark, a word, a sentence, the details, and the way in and out. `instance` is the one
 * that is connected to where nothing is.
 */
export function ConnectionCard({ instance }: { readonly instance: InstanceSlice | undefined }): ReactNode {
  const { t, i18n } = useTranslation()
  const { connection, heldBy, instances, killSwitch } = useAppState()
  const disconnect = useCommand('disconnect')
  const retryNow = useCommand('retryNow')
  const blocked = killSwitch.blocks && !isUnderWay(connection)
  const target = 'target' in connection ? connection.target : undefined
  const profile = instances
    .find(({ id }) => id === target?.instanceId)
    ?.profiles.items.find(({ profileId }) => profileId === target?.profileId)
  const isLost = connection.state === 'failed' && connection.error.code === 'session/over'
  const card = useRef<HTMLElement>(null)
  const begun =
    target !== undefined && isUnderWay(connection) ? `${target.instanceId} ${target.profileId}` : ''
  useEffect(() => {
    // Who presses Connect in a list far below wants to see what comes of it.
    const scrolled = begun === '' ? undefined : card.current?.closest('main')
    if (scrolled) scrolled.scrollTop = 0
  }, [begun])
  const remote = connection.state === 'connecting' ? connection.remote : undefined

  return (
    <section ref={card} className={page.card} aria-label={t('connection.title')}>
      {/* Not atomic: only what changes is read aloud. */}
      <div role="status" aria-atomic={false} className={styles.status}>
        <div className={styles.glance}>
          <Mark tone={blocked ? 'trouble' : toneOf(connection)} />
          <div>
            <p className={styles.word}>{t(`connection.word.${wordOf(connection)}`)}</p>
            <p className={styles.sentence}>
              {t(`connection.sentence.${sentenceOf(connection, killSwitch.blocks)}`, {
                // Each sentence puts in what its state has.
                instance: target?.instanceId ?? '',
                pid: ('by' in connection ? connection.by?.pid : undefined) ?? '',
                remote: remote === undefined ? '' : remoteText(remote),
                time: nextAttempt(connection, i18n.language) ?? '',
              })}
            </p>
          </div>
        </div>
        {connection.state === 'reconnecting' && !connection.waitingForNetwork && (
          <p>{t(`connection.reason.${connection.reason}`)}</p>
        )}
        {connection.state === 'reconnecting' && killSwitch.blocks && (
          <p>{t('connection.blockedMeanwhile')}</p>
        )}
        <ConnectionDetails
          connection={connection}
          profileName={profile?.displayName ?? target?.profileId ?? ''}
        />
      </div>
      {heldBy && <p className={page.quiet}>{t(`connection.heldBy.${heldBy.kind}`, { pid: heldBy.pid })}</p>}
      {connection.state === 'failed' && <ErrorNote error={connection.error} />}
      {!isUnderWay(connection) && instance && (
        <ConnectButton instance={instance} main={!isLost && instance.login !== 'signed-out'} />
      )}
      <ExpiryLine instanceId={isUnderWay(connection) || isLost ? target?.instanceId : instance?.id} />
      {blocked && <TrafficBlocked />}
      {disconnect.error && <ErrorNote error={disconnect.error} />}
      {retryNow.error && <ErrorNote error={retryNow.error} />}
      {isUnderWay(connection) && (
        <div className={styles.actions}>
          <Button
            variant={connection.state === 'connected' ? 'filled' : 'default'}
            size="lg"
            classNames={{ root: styles.connect, label: styles.connectLabel }}
            disabled={connection.state === 'disconnecting'}
            onClick={() => {
              void disconnect.run()
            }}
          >
            {t('connection.disconnect')}
          </Button>
          {connection.state === 'reconnecting' && heldBy === undefined && (
            <Button
              variant="subtle"
              size="lg"
              classNames={{ root: styles.connect, label: styles.connectLabel }}
              onClick={() => {
                void retryNow.run()
              }}
            >
              {t('connection.retryNow')}
            </Button>
          )}
        </div>
      )}
      <MoreDetails />
    </section>
  )
}

/** The time of the next attempt to reconnect, where it is known. */
function nextAttempt(connection: ConnectionState, language: string): string | undefined {
  if (connection.state !== 'reconnecting' || connection.nextAttemptAt === undefined) return undefined
  return new Intl.DateTimeFormat(language, { timeStyle: 'medium' }).format(connection.nextAttemptAt)
}
