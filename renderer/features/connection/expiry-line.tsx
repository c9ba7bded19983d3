import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useAppState, useCommand } from '../../store/context'
import { ErrorNote } from '../../ui/error-note'
import page from '../../ui/page.module.css'
import { expiryShown } from './expiry-shown'
import { useTimeAt } from './use-time-at'

/** When the login of the instance in use ends, and in its last stretch the way to a new one. */
export function ExpiryLine({ instanceId }: { readonly instanceId: string | undefined }): ReactNode {
  const { t, i18n } = useTranslation()
  const { instances } = useAppState()
  const renew = useCommand('renewSession')
  const instance = instances.find(({ id }) => id === instanceId)
  const ends = instance?.login === 'signed-in' || renew.pending ? instance?.ends : undefined
  const now = useTimeAt((time) => ends && expiryShown(ends, time).changesAt)
  if (instance === undefined || ends === undefined) return renew.error && <ErrorNote error={renew.error} />
  const { stage, hours, minutes, renewable } = expiryShown(ends, now)
  const left =
    hours > 0 ? t('connection.expiry.hours', { hours, minutes }) : t('connection.expiry.minutes', { minutes })
  const date = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'long' }).format(ends.at)
  return (
    <>
      <p className={page.quiet}>{t(`connection.expiry.${stage}`, { instance: instance.id, date, left })}</p>
      {renewable && (
        <Button
          variant="default"
          size="md"
          loading={renew.pending}
          onClick={() => {
            void renew.run({ instanceId: instance.id })
          }}
        >
          {t('connection.expiry.renew')}
        </Button>
      )}
      {renew.error && <ErrorNote error={renew.error} />}
    </>
  )
}
