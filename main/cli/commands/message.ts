import type { Command } from 'commander'
import { CausewayError } from '../../errors'
import { resolveLocalized } from '../../portal/localized-value'
import { onInstance, withInstanceArgument } from '../context'
import { t } from '../language'
import { localTime } from '../screen'
import { tellUnreadable } from '../tell-unreadable'

export function addMessageCommands(program: Command): void {
  const message = program.command('message').description("read an instance's messages")

  withInstanceArgument(message.command('list').description('list the system messages, newest first')).action(
    onInstance(async (context) => {
      const { instance } = context
      const messages = await context.authorizedRead(instance, async (portal) =>
        portal.messages?.(context.signal),
      )
      if (messages === undefined)
        throw new CausewayError('vpn-api/no-messages', { details: { instance: instance.id } })
      const languages = await context.languages()
      const { items, unreadable } = messages
      const resolved = items
        .toSorted((a, b) => b.dateTime.getTime() - a.dateTime.getTime())
        .map(({ message, ...rest }) => ({ ...rest, message: resolveLocalized(message, languages) }))
      context.terminal.result(
        resolved,
        resolved.length === 0
          ? t('terminal.message.none', { instance: instance.id })
          : resolved
              .map(({ dateTime, message }) => `${localTime(dateTime)}\n  ${message.replaceAll('\n', '\n  ')}`)
              .join('\n'),
      )
      tellUnreadable(context.terminal, 'vpn-api/invalid-response', unreadable)
    }),
  )
}
