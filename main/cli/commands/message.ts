import type { Command } from 'commander'
import { resolveLocalized } from '../../portal/localized-value'
import { action } from '../context'

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
        const messages = await context.authorizedRead(instance, (portal) => portal.messages(context.signal))
        const languages = await context.languages()
        const resolved = messages
          .toSorted((a, b) => b.dateTime.getTime() - a.dateTime.getTime())
          .map(({ message, ...rest }) => ({ ...rest, message: resolveLocalized(message, languages) }))
        context.terminal.result(
          resolved,
          resolved.length === 0
            ? `There are no messages from ${instance.id}.`
            : resolved
                .map(
                  ({ dateTime, message }) =>
                    `${dateTime.toISOString()}\n  ${message.replaceAll('\n', '\n  ')}`,
                )
                .join('\n'),
        )
      }),
    )
}
