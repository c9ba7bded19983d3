import { useTranslation } from 'react-i18next'
import { useAppState } from '../../store/context'
import { useTimeAt } from '../../store/use-time-at'
import { describeExpiry } from './describe-expiry'

export interface Access {
  /** Undefined without a login, or while its end isn't known. */
  readonly text: string | undefined
  readonly stage: 'far' | 'soon' | 'over'
  readonly canRenew: boolean
  readonly isRenewing: boolean
  /** Renewing ends the connection until the person has signed in. */
  readonly endsTunnel: boolean
}

/** Returns until when there is access to a service. */
export function useAccess(instanceId: string | undefined): Access {
  const { t, i18n } = useTranslation()
  const { instances, connection } = useAppState()
  const instance = instances.find(({ id }) => id === instanceId)
  const isRenewing = instance?.renewing === true
  const isOver = connection.state === 'failed' && connection.error.code === 'session/over'
  const ends = instance?.login === 'signed-in' || isRenewing || isOver ? instance?.ends : undefined
  const now = useTimeAt((time) => ends && describeExpiry(ends, time).changesAt)
  const endsTunnel = instance?.ends?.endsTunnel === true
  if (instance === undefined || ends === undefined)
    return { text: undefined, stage: 'far', canRenew: isRenewing, isRenewing, endsTunnel }
  const { stage, hours, minutes, renewable } = describeExpiry(ends, now)
  const left =
    hours > 0 ? t('connection.expiry.hours', { hours, minutes }) : t('connection.expiry.minutes', { minutes })
  const date = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'long' }).format(ends.at)
  return {
    text: isRenewing ? t('connection.expiry.renewing') : t(`connection.expiry.${stage}`, { date, left }),
    stage: isRenewing ? 'far' : stage,
    canRenew: renewable || isRenewing,
    isRenewing,
    endsTunnel,
  }
}
