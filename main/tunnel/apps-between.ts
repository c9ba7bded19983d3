import { AppsHelper } from '../privilege/apps-helper'
import type { Privilege } from '../privilege/privilege'
import type { TrafficBlock } from '../privilege/traffic-block'
import { after as systemTimer, type Timer } from '../timer'
import type { AppSplit } from './app-split'

export interface AppsBetweenOptions {
  readonly findHelper: Privilege['findHelper']
  readonly trafficBlock: Pick<TrafficBlock, 'isOn' | 'watch'>
  /** For tests. */
  readonly after?: Timer
}

/** How long, in milliseconds, it waits for the end of the kill switch, which the user's own disconnecting lifts, or for the next tunnel. */
const settledAfterMs = 1000

/**
 * Keeps the list of apps of the kill switch while that is up without a tunnel, so that an app that starts meanwhile is blocked, or goes
 * on, like those from before. Where the helper would ask for a password, the list stays as it was.
 */
export class AppsBetween {
  readonly #options: AppsBetweenOptions
  #stop: (() => void) | undefined

  constructor(options: AppsBetweenOptions) {
    this.#options = options
  }

  /** Follows the apps of a tunnel that has ended, until `end`, or until the kill switch is lifted. Never throws. */
  async begin(split: AppSplit): Promise<void> {
    this.end()
    const { findHelper, trafficBlock, after = systemTimer } = this.#options
    const over = new AbortController()
    const whenOver = (work: () => void): void => {
      over.signal.addEventListener('abort', work)
    }
    const stop = (): void => {
      over.abort()
    }
    whenOver(() => {
      split.close()
    })
    this.#stop = stop
    if (!trafficBlock.isOn()) {
      stop()
      return
    }
    whenOver(
      trafficBlock.watch(() => {
        if (!trafficBlock.isOn()) stop()
      }),
    )
    const isStillUp = await new Promise<boolean>((resolve) => {
      whenOver(() => {
        resolve(false)
      })
      whenOver(
        after(settledAfterMs, () => {
          resolve(true)
        }),
      )
    })
    if (!isStillUp) return
    const found = await findHelper().catch(() => undefined)
    const running = found && (await AppsHelper.startUnasked(found))
    if (running === undefined || over.signal.aborted) {
      stop()
      void running?.end()
      return
    }
    whenOver(() => void running.end())
    void running.ended.then(stop)
    split.follow({
      send: (command) => {
        running.ask(command).then(
          (outcome) => {
            if (outcome === 'off') stop()
            else split.onAnswer(outcome)
          },
          // Its end is told.
          () => undefined,
        )
      },
      tell: () => undefined,
      onFull: () => undefined,
    })
  }

  end(): void {
    this.#stop?.()
    this.#stop = undefined
  }
}
