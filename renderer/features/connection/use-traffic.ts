import { useState } from 'react'
import type { Traffic } from '../../../contract/state'
import { useBridge } from '../../store/context'
import { useWhileVisible } from './use-while-visible'

/** A rate that is older than this, in milliseconds, is not the current one. */
const freshMs = 3000

/** How many components of each window watch the traffic: main is told of the first and the last. */
const watchers = new WeakMap<object, number>()

/** Returns the traffic of the tunnel, which main reads while a component that uses this is shown. */
export function useTraffic(): Traffic | undefined {
  const bridge = useBridge()
  const [traffic, setTraffic] = useState<Traffic>()
  useWhileVisible(() => {
    const count = (by: 1 | -1): number => {
      const now = (watchers.get(bridge) ?? 0) + by
      watchers.set(bridge, now)
      return now
    }
    const stop = bridge.onConnectionNews((news) => {
      if (news.traffic !== undefined) setTraffic(news.traffic)
    })
    if (count(1) === 1) void bridge.run('watchTraffic', { wanted: true })
    return () => {
      stop()
      if (count(-1) === 0) void bridge.run('watchTraffic', { wanted: false })
    }
  })
  return traffic
}

/** Returns the newest rates in bytes a second, or undefined where there are none of now. */
export function currentRate(traffic: Traffic): Traffic['points'][number] | undefined {
  return traffic.points.findLast(({ at }) => traffic.at - at <= freshMs)
}
