import type { TFunction } from 'i18next'
import type { NewMessages } from './instance-models'
import type { DesktopText } from './desktop-notifications'

/** What a notification of a desktop has room for. */
const longestText = 200

/** New messages of an instance in one notification: the text of a single one, or how many there are. */
export function messageText({ instanceId, texts }: NewMessages, t: TFunction): DesktopText {
  const [only] = texts
  const from = t('messages.from', { instance: instanceId })
  if (only === undefined || texts.length > 1)
    return { title: t('desktop.event.newMessages', { count: texts.length }), body: instanceId }
  return { title: from, body: only.length > longestText ? `${only.slice(0, longestText - 1)}…` : only }
}
