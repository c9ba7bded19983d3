import { Button } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { CommandOutput } from '../../../contract/commands'
import type { ErrorReport } from '../../../contract/error-codes'
import { useAppState, useBridge } from '../../store/context'
import { useQueryClient, valueOf } from '../../store/queries'
import { ErrorNote } from '../../ui/error-note'
import styles from './instances.module.css'

export interface Search {
  readonly result: CommandOutput<'searchOrganizations'> | undefined
  readonly error: ErrorReport | undefined
  /** The result is that of earlier words. */
  readonly isPending: boolean
}

/** Searches the lists of organizations for the words of a text. */
export function useSearch(text: string, isAddress: boolean): Search {
  const bridge = useBridge()
  const { organizationSearch } = useAppState()
  const isWanted = organizationSearch.available && !isAddress && text.trim() !== ''
  const words = text.slice(0, 200)
  const { data, error, isPending, isPlaceholderData } = useQuery(
    {
      queryKey: ['searchOrganizations', { words }],
      queryFn: async () => valueOf(await bridge.run('searchOrganizations', { words })),
      enabled: isWanted,
      placeholderData: keepPreviousData,
      // The lists may change, and a search costs nothing.
      staleTime: 0,
      gcTime: 0,
    },
    useQueryClient(),
  )
  if (!isWanted) return { result: undefined, error: undefined, isPending: false }
  return { result: data, error: error?.report, isPending: isPending || isPlaceholderData }
}

/** Returns how many organizations match. */
export function useOutcome(result: Search['result']): string {
  const { t } = useTranslation()
  if (result === undefined) return ''
  const { results, total } = result
  if (total === 0) return t('directory.none')
  return total > results.length
    ? t('directory.first', { shown: results.length, total })
    : t('directory.found', { total })
}

/** Why the lists can't be searched, or may be old. */
export function SearchProblem({
  result,
  error,
  isDismissed,
  onDismiss,
}: Pick<Search, 'result' | 'error'> & {
  readonly isDismissed: boolean
  readonly onDismiss: () => void
}): ReactNode {
  const { t } = useTranslation()
  if (error !== undefined) return <ErrorNote error={error} />
  if (result?.problem === undefined || isDismissed) return null
  return (
    <div className={styles.form}>
      <ErrorNote error={result.problem} tone="notice" />
      <div>
        <Button variant="default" onClick={onDismiss}>
          {t('notices.dismiss')}
        </Button>
      </div>
    </div>
  )
}
