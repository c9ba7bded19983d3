import type { TFunction } from 'i18next'
import type { NewMessages } from '../../commands/models/instance-models'
import type { DesktopText } from './desktop-notifications'

/** The most characters that fit into a desktop notification. */
const maxTextLength = 200

/** Returns one notification for new messages of an instance: the text of a single message, or the number of messages. */
export function messageText({ instanceId, texts }: NewMessages, t: TFunction): DesktopText {
  const [only] = texts
  const from = t('messages.from', { instance: instanceId })
  if (only === undefined || texts.length > 1)
    return { title: t('desktop.event.newMessages', { count: texts.length }), body: instanceId }
  return { title: from, body: only.length > maxTextLength ? `${only.slice(0, maxTextLength - 1)}…` : only }
}
