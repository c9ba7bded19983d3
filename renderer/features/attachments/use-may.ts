import { useMemo } from 'react'
import { useResult } from '../../store/use-result'
import { may, type May } from './may'

/** Returns what the service allows the person; undefined until that is known. */
export function useMay(instanceId: string): May | undefined {
  const { result } = useResult('attachmentsIdentity', { instanceId })
  // Without an answer the roles are unknown. The service checks them in any case.
  return useMemo(() => result && may(result.ok ? result.value : {}), [result])
}
