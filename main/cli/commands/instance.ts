import type { Command } from 'commander'
import { action } from '../context'
import { tellEnded } from '../tell-ended'
import { table } from '../terminal'
import { addInstanceSettings } from './instance-settings'

export function addInstanceCommands(program: Command): void {
  const instance = program.command('instance').description('the VPN services that you use')

  instance
    .command('add')
    .description('add the VPN service at an address')
    .argument('<address>', 'such as vpn.example.org')
    .option('--client-id <id>', 'the OAuth client id to use with it')
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
    .description('list them')
    .action(
      action<[object]>(async ({ services, terminal }) => {
        const all = await services.instances.all()
        terminal.result(
          all,
          all.length === 0
            ? 'No instance yet. Add one with: causeway instance add ADDRESS'
            : table(
                ['INSTANCE', 'ADDRESS'],
                all.map(({ id, address }) => [id, address]),
              ),
        )
      }),
    )

  instance
    .command('remove')
    .description('disconnect and remove one, with its tokens and its key pair')
    .argument('<instance>', 'its id or address')
    .action(
      action<[string, object]>(async ({ services, terminal }, idOrAddress) => {
        const { id } = await services.instances.find(idOrAddress)
        tellEnded(terminal, id, await services.removeInstance(id))
        terminal.result({ instance: id, removed: true }, `Removed ${id}.`)
      }),
    )

  addInstanceSettings(instance)
}
