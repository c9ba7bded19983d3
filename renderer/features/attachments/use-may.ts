import { useEffect, useState } from 'react'
import { useBridge } from '../../store/context'
import { may, type May } from './may'

/** What the person may do at the service of this instance; nothing until it is known. */
export function useMay(instanceId: string): May | undefined {
  const bridge = useBridge()
  const [known, setKnown] = useState<May>()
  useEffect(() => {
    let left = false
    void bridge.run('attachmentsIdentity', { instanceId }).then((result) => {
      // Without an answer nothing is known of their roles, and the service has the last word anyway.
      if (!left) setKnown(may(result.ok ? result.value : {}))
    })
    return () => {
      left = true
    }
  }, [bridge, instanceId])
  return known
}
