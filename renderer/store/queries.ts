import { QueryCache, QueryClient, useQuery, type DefinedUseQueryResult } from '@tanstack/react-query'
import type { Bridge } from '../../contract/bridge'
import type { CommandInput, CommandName, CommandOutput } from '../../contract/commands'
import type { ErrorReport } from '../../contract/error-codes'
import { retryWhileCachedMs } from '../ui/use-retry-while-cached'
import { useBridge } from './context'
import { windowStore } from './window-store'

/** The error of a command that fetches. */
class FetchError extends Error {
  readonly report: ErrorReport

  constructor(report: ErrorReport) {
    super(report.code)
    this.report = report
  }
}

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: FetchError
  }
}

/** Time for which data is kept that no view shows, in milliseconds. */
const keptMs = 60 * 60_000

/**
 * Returns what the views have fetched. Data is fetched again on request, when a view opens after a failure, and periodically
 * while it is from main's cache. It stays while that fails, unless the user may no longer see it. No component mounts the
 * client, so that it doesn't follow the window's focus or the network.
 */
export const useQueryClient = windowStore(
  () =>
    new QueryClient({
      queryCache: new QueryCache({
        onError({ report }, query) {
          if (isDenied(report)) query.setState({ data: query.resetState.data })
        },
      }),
      defaultOptions: {
        queries: {
          retry: false,
          networkMode: 'always',
          staleTime: ({ state: { data, error } }) =>
            data === null || error !== null || isFromCache(data) ? 0 : Infinity,
          gcTime: keptMs,
          refetchInterval: ({ state: { data } }) => isFromCache(data) && retryWhileCachedMs,
          refetchIntervalInBackground: true,
        },
        mutations: { networkMode: 'always' },
      },
    }),
  (client, instanceId) => {
    // Also ends requests that are under way. What is shown is fetched again.
    void client.resetQueries({ predicate: ({ queryKey }) => isOf(queryKey, instanceId) })
  },
)

/** Returns whether a query asks this service. */
function isOf([, input]: readonly unknown[], instanceId: string): boolean {
  return (
    typeof input === 'object' && input !== null && 'instanceId' in input && input.instanceId === instanceId
  )
}

/**
 * Returns the options of a query that runs a command. Its data is null until it succeeds: with undefined, a retry would wait
 * for a request that is under way, and drop the error before its own answer.
 */
export function commandQuery<Name extends CommandName>(
  bridge: Bridge,
  name: Name,
  input: CommandInput<Name>,
) {
  return {
    queryKey: [name, input],
    queryFn: async (): Promise<CommandOutput<Name> | null> => valueOf(await bridge.run(name, input)),
    initialData: null,
  }
}

/** Fetches with a command when first rendered, and keeps the answer for all views. */
export function useFetched<Name extends CommandName>(
  name: Name,
  input: CommandInput<Name>,
  options: { readonly enabled?: boolean; readonly staleTime?: number; readonly gcTime?: number } = {},
): DefinedUseQueryResult<CommandOutput<Name> | null> {
  return useQuery({ ...commandQuery(useBridge(), name, input), ...options }, useQueryClient())
}

/** Returns the value of a command's result; throws its error. */
export function valueOf<Value>(
  result: { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly error: ErrorReport },
): Value {
  if (!result.ok) throw new FetchError(result.error)
  return result.value
}

/** Returns whether the user may not see the data, or it no longer exists. */
function isDenied({ code }: ErrorReport): boolean {
  return /\/(?:unauthorized|forbidden|not-found)$/.test(code)
}

/** Returns whether main took data from its cache because the service can't be reached. */
function isFromCache(data: unknown): boolean {
  return typeof data === 'object' && data !== null && 'cachedAt' in data && data.cachedAt !== undefined
}
