import type { Command } from 'commander'
import { type ServiceName, serviceNames } from '../../../contract/choices'
import type { InstanceChanges } from '../../../contract/instance-settings'
import { CausewayError, toErrorReport } from '../../errors'
import type { Instance, ServiceAddresses } from '../../portal/instance/instance'
import { clientIdFor } from '../../portal/oauth/client-id'
import { type Context, action } from '../context'
import { table } from '../terminal'

/** `instance set` and `instance show`: where the services of an instance are, and who the user is to them. */
export function addInstanceSettings(instance: Command): void {
  instance
    .command('set')
    .description('set where an instance\'s services are, and who you are to them; "" takes one back')
    .argument('[instance]', 'its id or address')
    .option('--client-id <id>', 'the OAuth client id to use with it')
    .option('--attachments <url>', 'base address of its attachments, such as https://example.org/v2.0.0')
    .option('--content <url>', 'base address of its news')
    .option('--organizations <url>', 'base address of its organizations')
    .option('--user-id <id>', 'your id, for attachments')
    .option('--roles <roles>', 'your roles for attachments: ADMINISTRATOR,CONTRIBUTOR,MEMBER')
    .action(
      action<[string | undefined, InstanceChanges]>(async (context, idOrAddress, changes) => {
        if (Object.keys(changes).length === 0) throw nothingToSet()
        const { id } = await context.services.instances.find(idOrAddress)
        const changed = await context.services.instances.set(id, changes)
        context.terminal.result(shown(changed), describe(changed, undefined))
      }),
    )

  instance
    .command('show')
    .description('show what is set of an instance, and where its services are')
    .argument('[instance]', 'its id or address')
    .action(
      action<[string | undefined, object]>(async (context, idOrAddress) => {
        const found = await context.services.instances.find(idOrAddress)
        const offered = await offeredBy(found, context)
        context.terminal.result(
          { ...shown(found), ...(offered === undefined ? {} : { offered }) },
          describe(found, offered),
        )
      }),
    )
}

function nothingToSet(): CausewayError {
  return new CausewayError(
    'usage/invalid-argument',
    'There is nothing to set. See what can be with: causeway instance set --help',
  )
}

/** What is set can be shown also where the instance cannot be asked. */
async function offeredBy(
  instance: Instance,
  { services, terminal, signal }: Context,
): Promise<ServiceAddresses | undefined> {
  try {
    return await services.offeredServices(instance, signal)
  } catch (error) {
    if (!(error instanceof CausewayError) || error.code === 'http/cancelled') throw error
    terminal.warn(toErrorReport(error))
    return undefined
  }
}

function shown(instance: Instance): object {
  return { ...instance, clientId: clientIdFor(instance, process.platform) }
}

function describe(instance: Instance, offered: ServiceAddresses | undefined): string {
  const { id, address, clientId, services = {}, identity = {} } = instance
  const rows = [
    ['instance', id, ''],
    ['address', address, ''],
    [
      'client id',
      clientIdFor(instance, process.platform),
      clientId === undefined ? 'built in' : 'set by you',
    ],
    ...serviceNames.map((name) => serviceRow(name, services[name], offered?.[name], offered !== undefined)),
    ['user id', identity.userId ?? '', identity.userId === undefined ? 'not set' : 'set by you'],
    ['roles', identity.roles?.join(',') ?? '', identity.roles === undefined ? 'not set' : 'set by you'],
  ]
  return table(['WHAT', 'VALUE', 'FROM'], rows)
}

/** `known`: whether the instance was asked what it offers. */
function serviceRow(
  name: string,
  set: string | undefined,
  offered: ServiceAddresses[ServiceName],
  known: boolean,
): string[] {
  if (set !== undefined) return [name, set, 'set by you']
  if (offered !== undefined) return [name, offered, 'info.json']
  return [name, '', known ? 'not offered' : 'not set']
}
