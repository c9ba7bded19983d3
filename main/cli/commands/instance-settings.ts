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
    .description('set an instance\'s service addresses, and your user ID and roles; "" resets one')
    .argument('[instance]', "the instance's ID or address")
    .option('--client-id <id>', 'the OAuth client ID to use with the instance')
    .option(
      '--attachments <url>',
      'the base address of its attachment service, such as https://example.org/v2.0.0',
    )
    .option('--content <url>', 'the base address of its news service')
    .option('--organizations <url>', 'the base address of its organization service')
    .option('--user-id <id>', 'your user ID for attachments')
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
    .description("show an instance's settings and service addresses")
    .argument('[instance]', "the instance's ID or address")
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
    "There's nothing to set. To see the options, run: causeway instance set --help",
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
      'client ID',
      clientIdFor(instance, process.platform),
      clientId === undefined ? 'built in' : 'set by you',
    ],
    ...serviceNames.map((name) => serviceRow(name, services[name], offered?.[name], offered !== undefined)),
    ['user ID', identity.userId ?? '', identity.userId === undefined ? 'not set' : 'set by you'],
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
