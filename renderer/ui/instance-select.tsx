import { NativeSelect } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useAppState } from '../store/context'

/** Whose things a view shows; nothing where there is but one instance. */
export function InstanceSelect({
  shown,
  onChoose,
}: {
  /** The id of the instance. */
  readonly shown: string
  readonly onChoose: (instanceId: string) => void
}): ReactNode {
  const { t } = useTranslation()
  const { instances } = useAppState()
  if (instances.length < 2) return null
  return (
    <NativeSelect
      aria-label={t('instance.choose')}
      data={instances.map(({ id }) => id)}
      value={shown}
      onChange={(event) => {
        onChoose(event.currentTarget.value)
      }}
    />
  )
}
