import type { TFunction } from 'i18next'
import { type ConnectionState, trafficOf } from '../../contract/connection'
import type { View } from '../../contract/views'
import type { DesktopText } from './desktop-notifications'

/** Shows it on the desktop; a click on it leads to the view. */
export type Tell = (text: DesktopText, view: View) => void

/** An interruption that is over sooner is not worth a word: another network, a moment of a server. */
const noticedAfterMs = 4000

/**
 * Tells of the connection of this process: that it is there, was interrupted and is back, or did not come about. What the
 * person does themselves, such as to disconnect, is not news to them.
 */
export class ConnectionNotices {
  readonly #t: () => TFunction
  readonly #tell: Tell
  readonly #after: (milliseconds: number, then: () => void) => () => void
  #before: 'no tunnel' | 'up' | 'interrupted' | 'told of it' = 'no tunnel'
  #stopTimer: () => void = () => undefined

  constructor(options: {
    readonly t: () => TFunction
    readonly tell: Tell
    /** Calls back after so many milliseconds; what comes out gives that up. */
    readonly after: (milliseconds: number, then: () => void) => () => void
  }) {
    this.#t = options.t
    this.#tell = options.tell
    this.#after = options.after
  }

  /** To be called with each new state. */
  see(connection: ConnectionState): void {
    const t = this.#t()
    const before = this.#before
    switch (connection.state) {
      case 'connected': {
        this.#become('up')
        if (before === 'up' || before === 'interrupted') return
        const instance = connection.target.instanceId
        this.#tell(
          {
            title: before === 'no tunnel' ? t('connection.word.connected') : t('desktop.event.reconnected'),
            body: t(`connection.sentence.${trafficOf(connection)}`, { instance }),
          },
          'connection',
        )
        return
      }
      case 'reconnecting': {
        if (before !== 'up') return
        this.#become('interrupted')
        const text = {
          title: t('desktop.event.lost'),
          body: [
            t('connection.sentence.reconnecting', { instance: connection.target.instanceId }),
            t(`connection.reason.${connection.reason}`),
          ].join(' '),
        }
        this.#stopTimer = this.#after(noticedAfterMs, () => {
          this.#become('told of it')
          this.#tell(text, 'connection')
        })
        return
      }
      case 'failed': {
        this.#become('no tunnel')
        const { code } = connection.error
        // The end of a login is told by itself.
        if (code === 'session/over' || code === 'oauth/cancelled') return
        this.#tell(
          {
            title:
              before === 'up' || before === 'interrupted'
                ? t('desktop.event.lost')
                : t('desktop.event.failed', { instance: connection.target.instanceId }),
            body: `${t(`errors.${code}.what`)} ${t(`errors.${code}.todo`)}`,
          },
          'connection',
        )
        return
      }
      case 'idle':
      case 'disconnecting':
      case 'disconnected':
        this.#become('no tunnel')
        return
      case 'discovering':
      case 'authorizing':
      case 'preparing':
      case 'connecting':
        return
    }
  }

  dispose(): void {
    this.#stopTimer()
  }

  #become(state: 'no tunnel' | 'up' | 'interrupted' | 'told of it'): void {
    this.#stopTimer()
    this.#stopTimer = () => undefined
    this.#before = state
  }
}
