import { useEffect, useState, useSyncExternalStore, type ComponentType, type ReactNode } from 'react'

const all: (() => Promise<void>)[] = []

/** Loads every component that the first paint left out. */
export async function loadTheRest(): Promise<void> {
  await Promise.all(all.map((load) => load()))
}

/**
 * Returns a component whose code isn't part of the start: it is loaded by `loadTheRest`, or when it is rendered before
 * that. Until then it is empty. Once loaded, it renders at once, unlike `React.lazy`.
 */
export function loadedLater<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): (props: Props) => ReactNode {
  let loaded: ComponentType<Props> | undefined
  let loading: Promise<void> | undefined
  const listeners = new Set<() => void>()

  async function loadOnce(): Promise<void> {
    loaded = await load()
    for (const listener of listeners) listener()
  }
  function start(): Promise<void> {
    loading ??= loadOnce().catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return loading
  }
  function subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  }
  all.push(start)

  return function LoadedLater(props) {
    const Component = useSyncExternalStore(subscribe, () => loaded)
    const [failure, setFailure] = useState<{ readonly error: unknown }>()
    useEffect(() => {
      start().catch((error: unknown) => {
        setFailure({ error })
      })
    }, [])
    if (failure !== undefined) throw failure.error
    return Component && <Component {...props} />
  }
}
