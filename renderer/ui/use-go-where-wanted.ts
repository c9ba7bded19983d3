import { useEffect } from 'react'
import { useAppState, useBridge } from '../store/context'
import { showView } from './use-view'

/** Goes to the view that main asks for, such as from its menu or a notification, and says that it is there. */
export function useGoWhereWanted(): void {
  const { wanted } = useAppState()
  const bridge = useBridge()
  useEffect(() => {
    if (wanted === undefined) return
    showView(wanted)
    void bridge.run('arrivedAt', { view: wanted })
  }, [wanted, bridge])
}
