import { useCallback } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { ErrorReport } from '../../contract/error-codes'
import { windowStore } from './window-store'

/** Why something about a profile failed. */
export interface RowFailure {
  readonly error: ErrorReport
  /** The service of the profile. */
  readonly instanceId: string
}

/** Why the last thing that a person did in a row of the list failed. The stage shows it, because no row may grow. */
const useFailureStore = windowStore(() =>
  createStore<{ readonly failure: RowFailure | undefined }>(() => ({ failure: undefined })),
)

/** Returns the failure, if any. */
export function useRowFailure(): RowFailure | undefined {
  return useStore(useFailureStore()).failure
}

/** Returns a function that reports how something in a row has ended. */
export function useReportRow(): (failure: RowFailure | undefined) => void {
  const store = useFailureStore()
  return useCallback(
    (failure) => {
      store.setState({ failure })
    },
    [store],
  )
}
