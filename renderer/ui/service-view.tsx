import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { serviceName } from '../../contract/service-name'
import { useAppState } from '../store/context'
import { Choice } from './choice'
import page from './page.module.css'

/**
 * A view of one service at a time: the wanted one, or the first. `children` receives its id, and a drop-down list of the
 * services if there are several.
 */
export function ServiceView({
  wanted,
  onChoose,
  children,
}: {
  /** Id of the instance. */
  readonly wanted: string | undefined
  readonly onChoose: (instanceId: string) => void
  readonly children: (instanceId: string, select: ReactNode) => ReactNode
}): ReactNode {
  const { t } = useTranslation()
  const { instances } = useAppState()
  const instance = instances.find(({ id }) => id === wanted) ?? instances[0]
  if (instance === undefined) return null
  return children(
    instance.id,
    instances.length > 1 && (
      <Choice
        aria-label={t('instance.choose')}
        className={page.choice ?? ''}
        options={instances.map((each) => ({ value: each.id, label: serviceName(each) }))}
        value={instance.id}
        onChoose={onChoose}
      />
    ),
  )
}
