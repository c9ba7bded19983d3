import type { Command } from 'commander'
import { CausewayError } from '../../errors'
import type { Instance } from '../../portal/instance/instance'
import type { Context } from '../command-context'
import { action } from '../context'
import { t } from '../language'
import { table } from '../terminal'
import { tellUnreadable } from '../tell-unreadable'

/** `location list` and `location set`: the location of an instance of secure internet. */
export function addLocationCommands(program: Command): void {
  const location = program.command('location').description('choose the location of a secure internet service')

  location
    .command('list')
    .description('list the locations that there are')
    .argument('[instance]', "the instance's ID or address")
    .action(
      action<[string | undefined, object]>(async (context, idOrAddress) => {
        const { services, terminal } = context
        const chosen = await chosenLocation(await withLocations(context, idOrAddress), context)
        const countries = new Intl.DisplayNames(await context.languages(), { type: 'region' })
        const { items, unreadable } = await services.directory.locations()
        const all = items.map((each) => ({
          countryCode: each.countryCode,
          displayName: countries.of(each.countryCode) ?? each.countryCode,
          baseUrl: each.address,
          chosen: each.address === chosen,
        }))
        terminal.result(
          all,
          table(
            [t('terminal.column.country'), t('terminal.column.name'), t('terminal.column.address'), ''],
            all.map((each) => [
              each.countryCode,
              each.displayName,
              each.baseUrl,
              each.chosen ? t('terminal.location.chosen') : '',
            ]),
          ),
        )
        tellUnreadable(terminal, 'organization-list/invalid-document', unreadable)
      }),
    )

  location
    .command('set')
    .description('disconnect, and use another location from now on')
    .argument('<country>', 'its country code, such as NL, or its address')
    .argument('[instance]', "the instance's ID or address")
    .action(
      action<[string, string | undefined, object]>(async (context, country, idOrAddress) => {
        const { run, terminal } = context
        const { id } = await withLocations(context, idOrAddress)
        const { organization } = await run('setLocation', { instanceId: id, address: country })
        const { countryCode, address } =
          organization?.type === 'secure_internet' ? organization.location : noLocation(id)
        terminal.result(
          { instance: id, countryCode, baseUrl: address },
          t('terminal.location.set', { instance: id, country: countryCode }),
        )
      }),
    )
}

/** The instance that is named, else the only one that has locations. */
async function withLocations({ services }: Context, idOrAddress: string | undefined): Promise<Instance> {
  if (idOrAddress === undefined) {
    const all = await services.instances.all()
    const [first, ...more] = all.filter(({ organization }) => organization?.type === 'secure_internet')
    if (first !== undefined && more.length === 0) return first
  }
  const instance = await services.instances.find(idOrAddress)
  return instance.organization?.type === 'secure_internet' ? instance : noLocation(instance.id)
}

async function chosenLocation(instance: Instance, { services }: Context): Promise<string | undefined> {
  const listed = (await services.directory.listing(instance))?.location
  return listed?.gone === true ? undefined : listed?.chosen.address
}

function noLocation(instance: string): never {
  throw new CausewayError('organization-list/unknown-location', {
    variant: 'no-choice',
    details: { instance, countries: [] },
  })
}
