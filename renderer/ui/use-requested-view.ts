import { useEffect } from 'react'
import { useAppState, useBridge } from '../store/context'
import { showView } from './use-view'

/** Opens the view that main requests, such as from its menu or a notification, and confirms it. */
export function useRequestedView(): void {
  const { wanted } = useAppState()
  const bridge = useBridge()
  useEffect(() => {
    if (wanted === undefined) return
    showView(wanted)
    void bridge.run('arrivedAt', { view: wanted })
  }, [wanted, bridge])
}
