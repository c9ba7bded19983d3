import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useAppState } from '../store/context'
import { Choice } from './choice'
import page from './page.module.css'

/** Chooses the instance of a view; nothing if there is only one. */
export function InstanceSelect({
  shown,
  onChoose,
}: {
  /** Id of the instance. */
  readonly shown: string
  readonly onChoose: (instanceId: string) => void
}): ReactNode {
  const { t } = useTranslation()
  const { instances } = useAppState()
  if (instances.length < 2) return null
  return (
    <Choice
      aria-label={t('instance.choose')}
      className={page.choice ?? ''}
      options={instances.map(({ id, listing }) => ({ value: id, label: listing?.name ?? id }))}
      value={shown}
      onChoose={onChoose}
    />
  )
}
