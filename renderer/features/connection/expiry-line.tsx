import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useAppState, useCommand } from '../../store/context'
import { ErrorNote } from '../../ui/error-note'
import styles from './connection.module.css'
import { describeExpiry } from './describe-expiry'
import { useTimeAt } from './use-time-at'

/** The end of the access to an instance, with a Renew button beside it when it is due. */
export function ExpiryLine({ instanceId }: { readonly instanceId: string | undefined }): ReactNode {
  const { t, i18n } = useTranslation()
  const { instances, connection, heldBy } = useAppState()
  const renew = useCommand('renewSession')
  const instance = instances.find(({ id }) => id === instanceId)
  // The tunnel ended with the login, as the error above says.
  const isLost = connection.state === 'failed' && connection.error.code === 'session/over'
  const renewing = renew.pending || instance?.renewing === true
  const ends = instance?.login === 'signed-in' || renewing || isLost ? instance?.ends : undefined
  const now = useTimeAt((time) => ends && describeExpiry(ends, time).changesAt)
  const alreadyShown = [
    'oauth/cancelled',
    instance?.loginError?.code,
    connection.state === 'failed' ? connection.error.code : undefined,
  ]
  const failure =
    renew.error && !alreadyShown.includes(renew.error.code) ? <ErrorNote error={renew.error} /> : null
  if (instance === undefined || ends === undefined) return failure
  const { stage, hours, minutes, renewable } = describeExpiry(ends, now)
  const left =
    hours > 0 ? t('connection.expiry.hours', { hours, minutes }) : t('connection.expiry.minutes', { minutes })
  const date = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'long' }).format(ends.at)
  return (
    <>
      <div className={styles.expiry}>
        {(renewing || !isLost) && (
          <p data-stage={renewing ? 'far' : stage}>
            {renewing
              ? t('connection.expiry.renewing', { instance: instance.listing?.name ?? instance.id })
              : t(`connection.expiry.${stage}`, { date, left })}
          </p>
        )}
        {(renewable || isLost || renewing) && (
          <Button
            // While connected, nothing else is the next step.
            variant={isLost || connection.state === 'connected' ? 'filled' : 'default'}
            loading={renewing}
            onClick={() => {
              void renew.run({
                instanceId: instance.id,
                ...(heldBy === undefined ? {} : { takeOver: true }),
              })
            }}
          >
            {t(heldBy === undefined ? 'connection.expiry.renew' : 'connection.expiry.renewHere')}
          </Button>
        )}
      </div>
      {failure}
    </>
  )
}
