import { useMutation } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import type { CommandResult } from '../../../contract/commands'
import type { ErrorReport } from '../../../contract/error-codes'
import { useBridge } from '../../store/context'
import { useQueryClient, valueOf } from '../../store/queries'

/** What is shown below the field. */
export type Step =
  | { readonly at: 'results' }
  | { readonly at: 'looking'; readonly hosts: readonly string[] }
  | { readonly at: 'found'; readonly address: string; readonly hosts: readonly string[] }
  | { readonly at: 'nothing'; readonly hosts: readonly string[] }
  | { readonly at: 'help' }
  | { readonly at: 'offline' }

/** Failures that a computer without a network has, whatever the address. */
const withoutNetwork: readonly string[] = ['http/unreachable', 'http/timed-out']

/** The service isn't at the address, but may be near it: this is how a web site answers. */
const nearby: readonly string[] = ['discovery/not-found', 'discovery/not-json', 'discovery/server-error']

interface Place {
  readonly step: Step
  /** Why something didn't work; not without a network, which is nobody's fault. */
  readonly problem: ErrorReport | undefined
  /** What is being added. */
  readonly adding: string | undefined
  readonly addAddress: (address: string) => void
  readonly addOrganization: (id: string, name: string) => void
  /** Looks at the domain in a text, or says what else the person can type. */
  readonly lookAt: (text: string) => void
  /** Goes on to the next portal that was found. */
  readonly decline: () => void
  /** Drops what was asked, also an answer that is still to come; what is being added is added. */
  readonly forget: () => void
}

/** Finds the portal of a place where a person studies or works, and adds it. */
export function usePlace({
  onBusy,
  onAdded,
}: {
  readonly onBusy: ((isBusy: boolean) => void) | undefined
  readonly onAdded: (instanceId: string) => void
}): Place {
  const bridge = useBridge()
  const add = useAdding({ onBusy, onAdded })
  const read = useMutation(
    { mutationFn: async (text: string) => valueOf(await bridge.run('readPlace', { text })) },
    useQueryClient(),
  )
  const look = useLooking()
  const { isPending: isAdding, reset: resetAdd } = add
  const { reset: resetRead } = read
  const { reset: resetLook } = look
  const forget = useCallback(() => {
    resetRead()
    resetLook()
    if (!isAdding) resetAdd()
  }, [isAdding, resetAdd, resetRead, resetLook])

  function addAddress(address: string, hosts: readonly string[] = []): void {
    add.mutate(
      { name: address, run: () => bridge.run('addInstance', { address }) },
      {
        onError({ report }) {
          if (hosts.length === 0 || !nearby.includes(report.code)) return
          add.reset()
          look.mutate({ text: address, hosts })
        },
      },
    )
  }

  function lookAt(text: string): void {
    forget()
    read.mutate(text, {
      onSuccess({ kind, hosts }) {
        if (kind === 'address') addAddress(text, hosts)
        else if (kind === 'domain') look.mutate({ text, hosts })
      },
    })
  }

  const report = add.error?.report ?? read.error?.report ?? look.problem
  const isOffline = report !== undefined && !navigator.onLine && withoutNetwork.includes(report.code)
  return {
    step: isOffline
      ? { at: 'offline' }
      : read.data?.kind === 'name'
        ? { at: 'nothing', hosts: [] }
        : look.step,
    problem: isOffline ? undefined : report,
    adding: isAdding ? add.variables.name : undefined,
    addAddress,
    addOrganization: (id, name) => {
      if (isAdding) return
      forget()
      add.mutate({ name, run: () => bridge.run('addOrganization', { id }) })
    },
    lookAt,
    decline: look.decline,
    forget,
  }
}

function useAdding({ onBusy, onAdded }: Parameters<typeof usePlace>[0]) {
  return useMutation(
    {
      mutationFn: async ({
        run,
      }: {
        readonly name: string
        readonly run: () => Promise<CommandResult<'addInstance'>>
      }) => valueOf(await run()),
      onMutate: () => onBusy?.(true),
      onSuccess: ({ instanceId }) => {
        onAdded(instanceId)
      },
      onError: () => onBusy?.(false),
    },
    useQueryClient(),
  )
}

/** Looks for portals at hosts, and goes through those that were found. */
function useLooking() {
  const bridge = useBridge()
  const [declined, setDeclined] = useState(0)
  const look = useMutation(
    {
      mutationFn: async ({ text }: { readonly text: string; readonly hosts: readonly string[] }) =>
        valueOf(await bridge.run('lookForPortals', { text })),
      onMutate: () => {
        setDeclined(0)
      },
    },
    useQueryClient(),
  )
  const { data, error, mutate, reset, variables } = look
  const hosts = variables?.hosts ?? []
  const address = data?.portals[declined]
  const problem = error?.report ?? (data?.portals.length === 0 ? data.problem : undefined)
  const step: Step = look.isPending
    ? { at: 'looking', hosts }
    : address !== undefined
      ? { at: 'found', address, hosts }
      : data !== undefined && problem === undefined
        ? { at: 'nothing', hosts }
        : { at: 'results' }
  return {
    step,
    problem,
    mutate,
    reset,
    decline: () => {
      setDeclined(declined + 1)
    },
  }
}
