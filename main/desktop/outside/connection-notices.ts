import type { TFunction } from 'i18next'
import type { ConnectionState } from '../../../contract/connection'
import { promisesAll } from '../../../contract/connection-summary'
import { describeConnection } from '../../../contract/describe-connection'
import type { ErrorReport } from '../../../contract/error-codes'
import type { ErrorText } from '../../../contract/error-text'
import type { AppState } from '../../../contract/state'
import type { View } from '../../../contract/views'
import { serviceName } from '../../../contract/service-name'
import type { DesktopText } from './desktop-notifications'
import type { Timer } from '../../timer'

/** Shows a desktop notification; a click on it opens the view. */
export type Notify = (text: DesktopText, view: View) => void

/** The least duration of an interruption to notify about. */
const noticedAfterMs = 4000

interface ConnectionNoticesOptions {
  readonly t: () => TFunction
  /** For times (BCP 47). */
  readonly locale: () => string
  readonly errorText: (error: ErrorReport) => ErrorText
  readonly notify: Notify
  /** Starts a timer; returns a function that cancels it. */
  readonly after: Timer
}

/**
 * Notifies when the connection of this process is up, interrupted, back, or failed, but not of the user's own actions, such as
 * disconnecting.
 */
export class ConnectionNotices {
  readonly #options: ConnectionNoticesOptions
  #before: 'no tunnel' | 'up' | 'interrupted' | 'notified' = 'no tunnel'
  #toldNothingPasses = false
  #stopTimer: () => void = () => undefined

  constructor(options: ConnectionNoticesOptions) {
    this.#options = options
  }

  /** Handles a new state. */
  onState(connection: ConnectionState, instances: AppState['instances']): void {
    const t = this.#options.t()
    const before = this.#before
    const named = instances.find(({ id }) => 'target' in connection && id === connection.target.instanceId)
    const { word, sentences, values } = describeConnection(connection, {
      locale: this.#options.locale(),
      service: named && serviceName(named),
      promisesAll: promisesAll(connection, instances),
    })
    const about = sentences.map((key) => t(key, values)).join(' ')
    switch (connection.state) {
      case 'connected': {
        const stops = connection.passing === false && !this.#toldNothingPasses
        this.#toldNothingPasses = connection.passing === false
        this.#setState('up')
        if (!stops && (before === 'up' || before === 'interrupted')) return
        this.#options.notify(
          {
            title:
              before === 'no tunnel' || stops ? t(`connection.word.${word}`) : t('desktop.event.reconnected'),
            body: about,
          },
          'connection',
        )
        return
      }
      case 'reconnecting': {
        if (before !== 'up' || connection.reason === 'requested') return
        this.#setState('interrupted')
        const text = { title: t('desktop.event.lost'), body: about }
        this.#stopTimer = this.#options.after(noticedAfterMs, () => {
          this.#setState('notified')
          this.#options.notify(text, 'connection')
        })
        return
      }
      case 'failed': {
        this.#setState('no tunnel')
        const { error } = connection
        // Expired logins have their own notification. A revoked one was not to be expected.
        const isExpired = error.code === 'session/over' && error.variant !== 'revoked'
        if (isExpired || error.code === 'oauth/cancelled') return
        const { what, todo } = this.#options.errorText(error)
        this.#options.notify(
          {
            title:
              before === 'up' || before === 'interrupted'
                ? t('desktop.event.lost')
                : `${t(`connection.word.${word}`)}: ${values.instance}`,
            body: `${what} ${todo}`,
          },
          'connection',
        )
        return
      }
      case 'idle':
      case 'disconnecting':
      case 'disconnected':
        this.#setState('no tunnel')
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

  #setState(state: 'no tunnel' | 'up' | 'interrupted' | 'notified'): void {
    this.#stopTimer()
    this.#stopTimer = () => undefined
    this.#before = state
  }
}
