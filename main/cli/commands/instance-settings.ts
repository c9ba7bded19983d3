import type { Command } from 'commander'
import { type ServiceName, serviceNames } from '../../../contract/choices'
import type { InstanceChanges } from '../../../contract/instance-settings'
import { renewableFrom } from '../../connection/expiry'
import { CausewayError, toErrorReport } from '../../errors'
import type { ChosenOrganization, Instance, ServiceAddresses } from '../../portal/instance/instance'
import { clientIdFor } from '../../portal/oauth/client-id'
import { displayText } from '../../portal/organization-list/search'
import { instanceJson } from './instance-json'
import type { Validity } from '../../portal/portal'
import { onInstance, withInstanceArgument } from '../context'
import { t } from '../language'
import { localTime } from '../screen'
import { table } from '../terminal'
import { timeLeftText } from '../time-left'

export const apiOption =
  'use this version of the portal API, 2 or 3, instead of the newest one that the service offers'

/** Adds `instance set` and `instance show`, for the service addresses of an instance and the user's identity there. */
export function addInstanceSettings(instance: Command): void {
  withInstanceArgument(instance.command('set'))
    .description('set an instance\'s name and service addresses, and your user ID and roles; "" resets one')
    .option('--name <name>', 'your own name for the service')
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
      onInstance<[InstanceChanges]>(async (context, changes) => {
        if (Object.keys(changes).length === 0)
          throw new CausewayError('usage/invalid-argument', { variant: 'instance-unchanged' })
        const instanceId = context.instance.id
        const changed = await context.run('setInstanceSettings', { instanceId, ...changes })
        const languages = await context.languages()
        context.terminal.result(jsonWithClientId(changed, languages), describe(changed, undefined, languages))
      }),
    )

  withInstanceArgument(instance.command('show'))
    .description("show an instance's settings and service addresses")
    .action(
      onInstance(async (context) => {
        const { instance: found, terminal } = context
        const { offered, problem } = await context.run('instanceSettings', { instanceId: found.id })
        if (problem !== undefined) terminal.warn(toErrorReport(problem))
        const languages = await context.languages()
        const validity = await context.services.validity(found)
        terminal.result(
          {
            ...jsonWithClientId(found, languages),
            offered,
            session: validity && { endsAt: validity.notAfter, renewableFrom: renewableFrom(validity) },
          },
          describe(found, offered, languages, validity),
        )
      }),
    )
}

function jsonWithClientId(instance: Instance, languages: readonly string[]): object {
  return { ...instanceJson(instance, languages), clientId: clientIdFor(instance, process.platform) }
}

function describe(
  instance: Instance,
  offered: ServiceAddresses | undefined,
  languages: readonly string[],
  validity?: Validity,
): string {
  const { id, name, address, organization, clientId, apiVersion, services = {}, identity = {} } = instance
  const rows = [
    [t('terminal.instance.instance'), id, ''],
    ...(name === undefined ? [] : [[t('terminal.instance.name'), name, t('terminal.instance.byYou')]]),
    [t('terminal.instance.address'), address, ''],
    ...organizationRows(organization, languages),
    [
      t('terminal.instance.clientId'),
      clientIdFor(instance, process.platform),
      clientId === undefined ? t('terminal.instance.builtIn') : t('terminal.instance.byYou'),
    ],
    [
      t('terminal.instance.apiVersion'),
      apiVersion === undefined ? t('terminal.instance.newest') : String(apiVersion),
      apiVersion === undefined ? t('terminal.instance.builtIn') : t('terminal.instance.byYou'),
    ],
    ...serviceNames.map((name) => serviceRow(name, services[name], offered?.[name], offered !== undefined)),
    [
      t('terminal.instance.userId'),
      identity.userId ?? '',
      identity.userId === undefined ? t('terminal.instance.notSet') : t('terminal.instance.byYou'),
    ],
    [
      t('terminal.instance.roles'),
      identity.roles?.join(',') ?? '',
      identity.roles === undefined ? t('terminal.instance.notSet') : t('terminal.instance.byYou'),
    ],
    ...(validity === undefined
      ? []
      : [
          [
            t('terminal.instance.sessionEnds'),
            localTime(validity.notAfter),
            timeLeftText(validity.notAfter.getTime() - Date.now()),
          ],
        ]),
  ]
  return table([t('terminal.column.what'), t('terminal.column.value'), t('terminal.column.from')], rows)
}

function organizationRows(
  organization: ChosenOrganization | undefined,
  languages: readonly string[],
): string[][] {
  if (organization === undefined) return []
  const name = [
    t('terminal.instance.organization'),
    displayText(organization.displayName, languages),
    t('terminal.instance.fromList'),
  ]
  if (organization.type === 'institute_access') return [name]
  const { address, countryCode } = organization.location
  return [name, [t('terminal.instance.location'), `${countryCode} ${address}`, t('terminal.instance.byYou')]]
}

/** Returns a row for a service. `known`: whether the instance has announced its services. */
function serviceRow(
  name: string,
  set: string | undefined,
  offered: ServiceAddresses[ServiceName],
  known: boolean,
): string[] {
  if (set !== undefined) return [name, set, t('terminal.instance.byYou')]
  if (offered !== undefined) return [name, offered, t('terminal.instance.fromService')]
  return [name, '', known ? t('terminal.instance.notOffered') : t('terminal.instance.notSet')]
}
