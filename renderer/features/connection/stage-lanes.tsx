import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ConnectionDescription } from '../../../contract/describe-connection'
import { useAppState } from '../../store/context'
import { progressOf } from './lane-shapes'
import { Lanes } from './lanes'

/** The drawing of what becomes of the traffic, with the names of this connection. */
export function StageLanes({
  description: { lanes, tone, values },
  service,
  isNarrow,
}: {
  readonly description: ConnectionDescription
  /** The name of the service that the lanes lead to; empty if it has none. */
  readonly service: string
  readonly isNarrow: boolean
}): ReactNode {
  const { t } = useTranslation()
  const { connection, wording } = useAppState()
  return (
    <Lanes
      lanes={lanes}
      tone={tone}
      progress={progressOf(connection)}
      size={isNarrow ? 'narrow' : 'wide'}
      direction={wording.direction}
      texts={{
        computer: t('connection.lane.computer'),
        organization: service || t('connection.lane.organization'),
        rest: t('connection.lane.rest'),
        encrypted: t('connection.lane.encrypted'),
        barrier: t('connection.lane.barrier'),
        door: t('connection.lane.door'),
        lane: (lane) => t(`connection.lane.${lane}`),
        allButLocal:
          lanes.apps === 'direct'
            ? t('connection.lane.allButApps', values)
            : values.local === ''
              ? undefined
              : t('connection.lane.allButLocal', values),
        apps:
          lanes.apps &&
          t(lanes.apps === 'direct' ? 'connection.lane.appsDirect' : 'connection.lane.onlyApps', values),
      }}
    />
  )
}
