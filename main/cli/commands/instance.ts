import type { Command } from 'commander'
import { action } from '../context'
import { t } from '../language'
import { tellEnded } from '../tell-ended'
import { table } from '../terminal'
import { instanceJson } from './instance-json'
import { addInstanceSettings, apiOption } from './instance-settings'
import { parseApiVersion } from '../../portal/instance/service-settings'
import { CausewayError } from '../../errors'
import { displayText } from '../../portal/organization-list/search'

interface AddOptions {
  readonly organization?: string
  readonly location?: string
  readonly clientId?: string
  readonly api?: string
}

export function addInstanceCommands(program: Command): void {
  const instance = program.command('instance').description('manage the VPN services that you use')

  addAdd(instance)

  instance
    .command('list')
    .description('list instances')
    .action(
      action<[object]>(async (context) => {
        const { services, terminal } = context
        const all = await services.instances.all()
        const userLanguages = await context.languages()
        terminal.result(
          all.map((each) => instanceJson(each, userLanguages)),
          all.length === 0
            ? t('terminal.instance.none')
            : table(
                [
                  t('terminal.column.instance'),
                  t('terminal.column.address'),
                  t('terminal.column.organization'),
                  '',
                ],
                all.map(({ id, address, organization, managed }) => [
                  id,
                  address,
                  organization === undefined ? '' : displayText(organization.displayName, userLanguages),
                  managed === true ? t('terminal.settings.managed') : '',
                ]),
              ),
        )
      }),
    )

  instance
    .command('remove')
    .description('disconnect, and remove an instance with its tokens and key pair')
    .argument('<instance>', "the instance's ID or address")
    .action(
      action<[string, object]>(async ({ run, services, terminal }, idOrAddress) => {
        const { id } = await services.instances.find(idOrAddress)
        tellEnded(terminal, id, await run('removeInstance', { instanceId: id }))
        terminal.result({ instance: id, removed: true }, t('terminal.instance.removed', { instance: id }))
      }),
    )

  addInstanceSettings(instance)
}

function addAdd(instance: Command): void {
  instance
    .command('add')
    .description('add a VPN service by its address, or by its organization')
    .argument('[address]', 'such as vpn.example.org')
    .option('--organization <id>', "the organization's ID in the list (causeway discover)")
    .option('--location <country>', 'the country to use secure internet in; by default the home')
    .option('--client-id <id>', 'the OAuth client ID to use with the instance')
    .option('--api <version>', apiOption)
    .action(
      action<[string | undefined, AddOptions]>(
        async (context, address, { organization, location, clientId, api }) => {
          const { run, terminal } = context
          const how = {
            clientId,
            ...(api === undefined ? {} : { apiVersion: parseApiVersion(api) }),
          }
          if ((address === undefined) === (organization === undefined)) {
            throw new CausewayError('usage/invalid-argument', {
              variant: 'address-or-organization',
              details: { argument: 'address' },
            })
          }
          if (organization === undefined && location !== undefined) {
            throw new CausewayError('usage/invalid-argument', {
              variant: 'location-without-organization',
              details: { argument: 'location' },
            })
          }
          const added =
            organization === undefined
              ? await run('addInstance', { address: address ?? '', ...how })
              : await run('addOrganization', { id: organization, location, ...how })
          terminal.result(
            instanceJson(added, await context.languages()),
            t('terminal.instance.added', { instance: added.id }),
          )
          terminal.note(t('terminal.instance.next', { instance: added.id }))
        },
      ),
    )
}
