import type { Command } from 'commander'
import { type ServiceName, serviceNames } from '../../../contract/choices'
import type { InstanceChanges } from '../../../contract/instance-settings'
import { renewableFrom, timeLeftText } from '../../connection/expiry'
import { CausewayError, toErrorReport } from '../../errors'
import type { ChosenOrganization, Instance, ServiceAddresses } from '../../portal/instance/instance'
import { clientIdFor } from '../../portal/oauth/client-id'
import { displayText } from '../../portal/organization-list/search'
import { instanceJson } from './instance-json'
import type { Validity } from '../../portal/portal'
import { type Context, action } from '../context'
import { localTime } from '../screen'
import { table } from '../terminal'

export const apiOption =
  'use this version of the portal API, 2 or 3, instead of the newest one that the service offers'

/** Adds `instance set` and `instance show`, for the service addresses of an instance and the user's identity there. */
export function addInstanceSettings(instance: Command): void {
  instance
    .command('set')
    .description('set an instance\'s service addresses, and your user ID and roles; "" resets one')
    .argument('[instance]', "the instance's ID or address")
    .option('--client-id <id>', 'the OAuth client ID to use with the instance')
    .option('--api <version>', apiOption)
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
        const languages = await context.languages()
        context.terminal.result(shown(changed, languages), describe(changed, undefined, languages))
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
        const languages = await context.languages()
        const validity = await context.services.validity(found)
        context.terminal.result(
          {
            ...shown(found, languages),
            ...(offered === undefined ? {} : { offered }),
            ...(validity === undefined
              ? {}
              : { session: { endsAt: validity.notAfter, renewableFrom: renewableFrom(validity) } }),
          },
          describe(found, offered, languages, validity),
        )
      }),
    )
}

function nothingToSet(): CausewayError {
  return new CausewayError('usage/invalid-argument', { variant: 'instance-unchanged' })
}

/** Returns the announced services, or undefined with a warning if the instance can't be reached. */
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

function shown(instance: Instance, languages: readonly string[]): object {
  return { ...instanceJson(instance, languages), clientId: clientIdFor(instance, process.platform) }
}

function describe(
  instance: Instance,
  offered: ServiceAddresses | undefined,
  languages: readonly string[],
  validity?: Validity,
): string {
  const { id, address, organization, clientId, apiVersion, services = {}, identity = {} } = instance
  const rows = [
    ['instance', id, ''],
    ['address', address, ''],
    ...organizationRows(organization, languages),
    [
      'client ID',
      clientIdFor(instance, process.platform),
      clientId === undefined ? 'built in' : 'set by you',
    ],
    [
      'API version',
      apiVersion === undefined ? 'newest' : String(apiVersion),
      apiVersion === undefined ? 'built in' : 'set by you',
    ],
    ...serviceNames.map((name) => serviceRow(name, services[name], offered?.[name], offered !== undefined)),
    ['user ID', identity.userId ?? '', identity.userId === undefined ? 'not set' : 'set by you'],
    ['roles', identity.roles?.join(',') ?? '', identity.roles === undefined ? 'not set' : 'set by you'],
    ...(validity === undefined ? [] : [['session ends', localTime(validity.notAfter), timeLeft(validity)]]),
  ]
  return table(['WHAT', 'VALUE', 'FROM'], rows)
}

function organizationRows(
  organization: ChosenOrganization | undefined,
  languages: readonly string[],
): string[][] {
  if (organization === undefined) return []
  const name = ['organization', displayText(organization.displayName, languages), 'list']
  if (organization.type === 'institute_access') return [name]
  const { address, countryCode } = organization.location
  return [name, ['location', `${countryCode} ${address}`, 'set by you']]
}

function timeLeft({ notAfter }: Validity): string {
  return timeLeftText(notAfter.getTime() - Date.now())
}

/** Returns a row for a service. `known`: whether the instance has announced its services. */
function serviceRow(
  name: string,
  set: string | undefined,
  offered: ServiceAddresses[ServiceName],
  known: boolean,
): string[] {
  if (set !== undefined) return [name, set, 'set by you']
  if (offered !== undefined) return [name, offered, 'service']
  return [name, '', known ? 'not offered' : 'not set']
}
