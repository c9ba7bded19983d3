import type { TFunction } from 'i18next'
import { serviceNameOf } from '../../../contract/service-name'
import type { AppState } from '../../../contract/state'
import type { NewMessages } from '../../commands/models/instance-models'
import type { DesktopText } from './desktop-notifications'

/** The most characters that fit into a desktop notification. */
const maxTextLength = 200

/** Returns one notification for new messages of an instance: the text of a single message, or the number of messages. */
export function messageText(
  { instanceId, texts }: NewMessages,
  t: TFunction,
  instances: AppState['instances'],
): DesktopText {
  const [only] = texts
  const service = serviceNameOf(instances, instanceId)
  const from = t('messages.from', { instance: service })
  if (only === undefined || texts.length > 1)
    return { title: t('desktop.event.newMessages', { count: texts.length }), body: service }
  return { title: from, body: only.length > maxTextLength ? `${only.slice(0, maxTextLength - 1)}…` : only }
}
