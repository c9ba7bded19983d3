import type { Command } from 'commander'
import { CausewayError } from '../../errors'
import type { Instance } from '../../portal/instance/instance'
import { resolveLocalized } from '../../portal/localized-value'
import { action } from '../context'
import { t } from '../language'
import { localTime } from '../screen'
import { tellUnreadable } from '../tell-unreadable'

export function addMessageCommands(program: Command): void {
  program
    .command('message')
    .description("read an instance's messages")
    .command('list')
    .description('list the system messages, newest first')
    .argument('[instance]', "the instance's ID or address")
    .action(
      action<[string | undefined, object]>(async (context, idOrAddress) => {
        const instance = await context.services.instances.find(idOrAddress)
        const messages = await context.authorizedRead(instance, async (portal) =>
          portal.messages?.(context.signal),
        )
        if (messages === undefined) throw noMessages(instance)
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
                .map(
                  ({ dateTime, message }) => `${localTime(dateTime)}\n  ${message.replaceAll('\n', '\n  ')}`,
                )
                .join('\n'),
        )
        tellUnreadable(context.terminal, 'vpn-api/invalid-response', unreadable)
      }),
    )
}

function noMessages({ id }: Instance): CausewayError {
  return new CausewayError('vpn-api/no-messages', { details: { instance: id } })
}
