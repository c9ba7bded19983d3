import type { Command } from 'commander'
import { action } from '../context'
import { tellEnded } from '../tell-ended'
import { table } from '../terminal'
import { addInstanceSettings } from './instance-settings'

export function addInstanceCommands(program: Command): void {
  const instance = program.command('instance').description('manage the VPN services that you use')

  instance
    .command('add')
    .description('add a VPN service by its address')
    .argument('<address>', 'such as vpn.example.org')
    .option('--client-id <id>', 'the OAuth client ID to use with the instance')
    .action(
      action<[string, { clientId?: string }]>(
        async ({ services, terminal, signal }, address, { clientId }) => {
          const added = await services.addInstance(
            { address, ...(clientId === undefined ? {} : { clientId }) },
            signal,
          )
          terminal.result(added, `Added ${added.id}.`)
        },
      ),
    )

  instance
    .command('list')
    .description('list instances')
    .action(
      action<[object]>(async ({ services, terminal }) => {
        const all = await services.instances.all()
        terminal.result(
          all,
          all.length === 0
            ? 'There are no instances yet. To add one, run: causeway instance add ADDRESS'
            : table(
                ['INSTANCE', 'ADDRESS'],
                all.map(({ id, address }) => [id, address]),
              ),
        )
      }),
    )

  instance
    .command('remove')
    .description('disconnect, and remove an instance with its tokens and key pair')
    .argument('<instance>', "the instance's ID or address")
    .action(
      action<[string, object]>(async ({ services, terminal }, idOrAddress) => {
        const { id } = await services.instances.find(idOrAddress)
        tellEnded(terminal, id, await services.removeInstance(id))
        terminal.result({ instance: id, removed: true }, `Removed ${id}.`)
      }),
    )

  addInstanceSettings(instance)
}
