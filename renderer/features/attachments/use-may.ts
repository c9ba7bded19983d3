import { useEffect, useState } from 'react'
import { useBridge } from '../../store/context'
import { may, type May } from './may'

/** Returns what the service allows the person; undefined until that is known. */
export function useMay(instanceId: string): May | undefined {
  const bridge = useBridge()
  const [known, setKnown] = useState<May>()
  useEffect(() => {
    let left = false
    void bridge.run('attachmentsIdentity', { instanceId }).then((result) => {
      // Without an answer the roles are unknown. The service checks them in any case.
      if (!left) setKnown(may(result.ok ? result.value : {}))
    })
    return () => {
      left = true
    }
  }, [bridge, instanceId])
  return known
}
