import { Button } from '@mantine/core'
import { useEffect, useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ConnectionState, ConnectionTarget } from '../../../contract/connection'
import { connectTarget, isUnderWay } from '../../../contract/connection-summary'
import { useDescription } from '../../store/use-description'
import { ipcError } from '../../store/ipc-error'
import { useAppState, useCommand } from '../../store/context'
import { useProfileName, useServiceName } from '../../store/profile-name'
import { CommandButton } from '../../ui/command-button'
import { ErrorNote } from '../../ui/error-note'
import page from '../../ui/page.module.css'
import { isSame } from '../instances/find-profiles'
import styles from './connection.module.css'
import { DetailsToggle } from './details-toggle'
import { ExpiryLine } from './expiry-line'
import { FailureActions } from './failure-actions'
import { Mark } from './mark'

/** Shows whether there is a connection, to what, how much goes through it and until when, with the one next step. */
export function ConnectionHeader(): ReactNode {
  const { t } = useTranslation()
  const state = useAppState()
  const { connection, heldBy, instances, killSwitch } = state
  const underWay = isUnderWay(connection)
  const blocked = killSwitch.blocks && !underWay
  const { word, tone, sentences, values } = useDescription()
  const target = 'target' in connection ? connection.target : connectTarget(state)
  const onlyInstance = instances.length === 1 ? instances[0] : undefined
  const isLost = connection.state === 'failed' && connection.error.code === 'session/over'
  const header = useRef<HTMLElement>(null)
  const begun = target !== undefined && underWay ? `${target.instanceId} ${target.profileId}` : ''
  useEffect(() => {
    // A click on Connect far down the list brings its progress into view.
    const scrolled = begun === '' ? undefined : header.current?.closest('main')
    if (scrolled) scrolled.scrollTop = 0
  }, [begun])

  return (
    <section ref={header} className={page.card} aria-label={t('connection.title')}>
      <div className={styles.top}>
        {/* Not atomic: only the words that change are read aloud. */}
        <div role="status" aria-atomic={false} className={styles.glance}>
          <Mark tone={tone} />
          <div className={styles.words}>
            <p className={styles.word} data-tone={tone}>
              {t(`connection.word.${word}`)}
            </p>
            {target !== undefined && <Subject target={target} />}
            {sentences
              .filter((key) => key !== 'connection.sentence.connected')
              .map((key) => (
                <p key={key} className={styles.sentence} data-tone={tone}>
                  {t(key, values)}
                </p>
              ))}
          </div>
        </div>
        <NextStep isLost={isLost} blocked={blocked} />
      </div>
      {blocked && <AllowTraffic />}
      <DetailsToggle />
      {heldBy && <p className={page.quiet}>{t(`connection.heldBy.${heldBy.kind}`, { pid: heldBy.pid })}</p>}
      {connection.state === 'connected' && connection.passing === false && !heldBy && (
        <NothingPasses connection={connection} />
      )}
      {connection.state === 'failed' && (
        <ErrorNote error={connection.error}>
          <FailureActions error={connection.error} target={connection.target} />
        </ErrorNote>
      )}
      <ExpiryLine instanceId={target?.instanceId ?? onlyInstance?.id} />
    </section>
  )
}

function Subject({ target }: { readonly target: ConnectionTarget }): ReactNode {
  const profile = useProfileName(target)
  const service = useServiceName(target.instanceId)
  return (
    <p className={styles.subject}>
      <bdi>{profile}</bdi>
      {' · '}
      <bdi>{service}</bdi>
    </p>
  )
}

type Connected = Extract<ConnectionState, { state: 'connected' }>

/** The ways to another tunnel where nothing passes through this one. */
function NothingPasses({ connection }: { readonly connection: Connected }): ReactNode {
  const { t } = useTranslation()
  const { settings } = useAppState()
  const another = useCommand('retryNow')
  const connect = useCommand('connect')
  const failure = another.error ?? connect.error
  return (
    <div className={styles.actions}>
      <Button onClick={() => void another.run()}>{t('connection.tryOther')}</Button>
      {connection.remote.protocol === 'udp' && !settings.preferTcp && (
        <Button variant="default" onClick={() => void connect.run({ ...connection.target, preferTcp: true })}>
          {t('connection.tryTcp')}
        </Button>
      )}
      {failure && <ErrorNote error={failure} />}
    </div>
  )
}

/** The button at the end of the header: out of a connection, or into one where the profile is clear. */
function NextStep({ isLost, blocked }: { readonly isLost: boolean; readonly blocked: boolean }): ReactNode {
  const { t } = useTranslation()
  const state = useAppState()
  const { connection, instances } = state
  const connect = useCommand('connect')
  const disconnect = useCommand('disconnect')
  const target = connectTarget(state)
  const name = useProfileName(target)
  const failure =
    disconnect.error ?? ipcError(connect.error, connection.state === 'failed' ? connection.error : undefined)
  const signedOut = instances.find(({ id }) => id === target?.instanceId)?.login === 'signed-out'
  const failedHere =
    connection.state === 'failed' && target !== undefined && isSame(connection.target, target)
  const verb = t(blocked ? 'connection.reconnect' : failedHere ? 'connection.tryAgain' : 'connection.connect')
  return (
    <>
      {isUnderWay(connection) ? (
        <Button
          variant="default"
          disabled={connection.state === 'disconnecting'}
          onClick={() => void disconnect.run()}
        >
          {t('connection.disconnect')}
        </Button>
      ) : (
        target !== undefined && (
          <Button
            // After the end of access the next step is Renew, and before a login it is Log in.
            variant={isLost || signedOut ? 'default' : 'filled'}
            aria-label={`${verb}: ${name}`}
            onClick={() => void connect.run({ ...target })}
          >
            {verb}
          </Button>
        )
      )}
      {failure && (
        <div className={styles.wholeLine}>
          <ErrorNote error={failure} />
        </div>
      )}
    </>
  )
}

/** The way out where the kill switch is on and there is no tunnel. */
function AllowTraffic(): ReactNode {
  const { t } = useTranslation()
  return (
    <div className={styles.blocked}>
      <p>{t('connection.blockedHint')}</p>
      <CommandButton command="releaseTraffic" input={undefined}>
        {t('connection.allowTraffic')}
      </CommandButton>
    </div>
  )
}
