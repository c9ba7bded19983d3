import { useTranslation } from 'react-i18next'
import { useAppState } from '../../store/context'

/** Returns which other process holds the connection, as a sentence. */
export function useHeldBy(): string | undefined {
  const { t } = useTranslation()
  const { heldBy } = useAppState()
  return heldBy && t(`connection.heldBy.${heldBy.kind}`, { pid: heldBy.pid })
}
