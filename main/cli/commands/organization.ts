import { type Command, InvalidArgumentError } from 'commander'
import { CausewayError } from '../../errors'
import { type AddressLine, addressLines, organizationRoles } from '../../../contract/choices'
import type { OrganizationAddress, WhichOrganization } from '../../../contract/organizations'
import type { Organization, StatusMessage } from '../../services/organizations/organization'
import { findOrganization, numberIn } from '../../services/organizations/find-organization'
import { askUnlessYes } from '../ask'
import type { Context } from '../command-context'
import { type InstanceContext, onInstance, withInstance } from '../context'
import { t } from '../language'
import { table } from '../terminal'
import { addOrganizationCredentialsCommands } from './organization-credentials'
import { idInJson, shortened } from './organization-user'

/** Options that select an organization; without them, the current one. */
interface Chosen {
  readonly org?: string
  readonly name?: string
}
type AddCommand = (words: string, description: string) => Command

/** Adds `causeway organization …` (docs/terminal.md). */
export function addOrganizationCommands(program: Command): void {
  const organization = program.command('organization').description('manage organizations and their users')
  const command: AddCommand = (words, description) =>
    withInstance(organization.command(words).description(description))
  const onOne: AddCommand = (words, description) => {
    const made = command(words, description)
    return made
      .addOption(made.createOption('--org <id>', 'the organization with this number').argParser(wholeNumber))
      .addOption(
        made.createOption('--name <name>', 'the organization with exactly this name').conflicts('org'),
      )
  }

  addChangeCommands(command, onOne)
  addUserCommands(onOne)
  addOrganizationCredentialsCommands(organization)
}

function addChangeCommands(command: AddCommand, onOne: AddCommand): void {
  onOne('show', 'show the current organization, or another').action(
    onInstance<[Chosen]>(async (context, chosen) => {
      const answer = await context.run('showOrganization', { ...of(context), which: which(chosen) })
      const data = context.dataOf(answer)
      context.terminal.result({ ...data, id: idInJson(data.id) }, describe(data))
    }),
  )

  withAddress(command('create <name>', 'create an organization'), 'the').action(
    onInstance<[string, Chosen & OrganizationAddress]>(async (context, name, options) => {
      const created = await context.run('createOrganization', {
        ...of(context),
        name,
        ...addressOf(options),
      })
      const number =
        created.orgId === undefined ? '' : ` ${t('terminal.organization.itsNumber', { id: created.orgId })}`
      context.terminal.result(
        changeInJson(created),
        `${t('terminal.organization.created', { name: shortened(name, 80) })}${number}`,
      )
    }),
  )

  withAddress(
    onOne('update', 'rename an organization, or change its address').option(
      '--rename <name>',
      'the new name',
    ),
    'the new',
  )
    .addHelpText('after', '\nAddress lines that you leave out stay as they are; "" clears a line.')
    .action(
      onInstance<[Chosen & OrganizationAddress & { readonly rename?: string }]>(async (context, options) => {
        const changes = {
          ...(options.rename === undefined ? {} : { name: options.rename }),
          ...addressOf(options),
        }
        if (Object.keys(changes).length === 0) {
          throw new CausewayError('usage/invalid-argument', { variant: 'organization-unchanged' })
        }
        const updated = await context.run('updateOrganization', { ...at(context, options), ...changes })
        context.terminal.result(changeInJson(updated), t('terminal.organization.updated'))
      }),
    )

  onOne('delete', 'delete an organization')
    .option('--yes', "don't ask for its name; required without a terminal")
    .action(
      onInstance<[Chosen & { readonly yes?: true }]>(async (context, options) => {
        // Never from the cache: the number of a name may be another's now.
        const client = await context.services.organizations(context.instance, context.signal)
        const organization = await findOrganization(client, which(options), context.signal)
        if (options.yes !== true) await confirmName(organization, context)
        context.terminal.result(
          changeInJson(await context.run('deleteOrganization', { ...of(context), orgId: organization.id })),
          t('terminal.organization.deleted', { name: shortened(organization.name, 80) }),
        )
      }),
    )
}

function addUserCommands(onOne: AddCommand): void {
  onOne('users', "list the organization's users").action(
    onInstance<[Chosen]>(async (context, chosen) => {
      const answer = await context.run('listOrganizationUsers', at(context, chosen))
      const { items: users, unreadable } = context.dataOf(answer)
      context.terminal.result(
        users.map((user) => ({
          ...user,
          orgId: user.orgId && idInJson(user.orgId),
          userId: idInJson(user.userId),
        })),
        users.length === 0 && unreadable === 0
          ? t('terminal.organization.noUsers')
          : table(
              [
                t('terminal.column.user'),
                t('terminal.column.login'),
                t('terminal.column.email'),
                t('terminal.column.role'),
                t('terminal.column.lastSeen'),
              ],
              users.map(({ userId, login, email, role, lastSeenAtAge }) => [
                userId,
                login,
                email,
                role,
                lastSeenAtAge ?? '',
              ]),
            ),
      )
      if (unreadable > 0) {
        context.terminal.notice({
          code: 'organizations/invalid-response',
          message: t('terminal.organization.unreadable', { count: unreadable }),
          details: { unreadable },
        })
      }
    }),
  )

  withRole(onOne('add-user <login>', 'add a user by user name or e-mail address')).action(
    onInstance<[string, Chosen & { readonly role: string }]>(async (context, loginOrEmail, options) => {
      const { role } = options
      const added = await context.run('addOrganizationUser', { ...at(context, options), loginOrEmail, role })
      context.terminal.result(
        changeInJson(added),
        t('terminal.organization.addedUser', { user: shortened(loginOrEmail, 80), role: options.role }),
      )
    }),
  )

  withRole(onOne('set-role <user>', "change a user's role; by number, user name or e-mail address")).action(
    onInstance<[string, Chosen & { readonly role: string }]>(async (context, user, options) => {
      const { role } = options
      const changed = await context.run('setOrganizationRole', { ...at(context, options), user, role })
      context.terminal.result(
        changeInJson(changed),
        t('terminal.organization.changedRole', { user: shortened(user, 80), role: options.role }),
      )
    }),
  )

  onOne('remove-user <user>', 'remove a user; by number, user name or e-mail address').action(
    onInstance<[string, Chosen]>(async (context, user, options) => {
      const removed = await context.run('removeOrganizationUser', { ...at(context, options), user })
      context.terminal.result(
        changeInJson(removed),
        t('terminal.organization.removedUser', { user: shortened(user, 80) }),
      )
    }),
  )
}

function of({ instance }: InstanceContext) {
  return { instanceId: instance.id }
}

function which({ org, name }: Chosen): WhichOrganization {
  if (org !== undefined) return { by: 'id', orgId: org }
  return name === undefined ? { by: 'current' } : { by: 'name', name }
}

function at(context: InstanceContext, { org, name }: Chosen) {
  const named = name === undefined ? ('current' as const) : { name }
  return { ...of(context), place: org === undefined ? named : { orgId: org } }
}

async function confirmName({ name, id }: Organization, context: Context): Promise<void> {
  const question = () => t('terminal.organization.deleteQuestion', { id, name: shortened(name, 190) })
  if ((await askUnlessYes(question, 'confirm-organization', context)) === name.trim()) return
  throw new CausewayError('usage/invalid-argument', { variant: 'name-mismatch' })
}

function describe({ id, name, address }: Organization): string {
  const lines = addressLines.map((line) => address?.[line] ?? '').filter((text) => text !== '')
  return [
    t('terminal.organization.numbered', { name: shortened(name, 190), id }),
    ...lines.map((line) => `  ${shortened(line, 190)}`),
  ].join('\n')
}

function withRole(command: Command): Command {
  return command.addOption(
    command.createOption('--role <role>', organizationRoles.join(', ')).argParser(role).makeOptionMandatory(),
  )
}

const addressOptions: Readonly<Record<AddressLine, string>> = {
  address1: '--address1',
  address2: '--address2',
  city: '--city',
  zipCode: '--zip-code',
  state: '--state',
  country: '--country',
}

function withAddress(command: Command, whose: string): Command {
  for (const line of addressLines)
    command.option(`${addressOptions[line]} <text>`, `${whose} address: ${line}`)
  return command
}

function addressOf(options: OrganizationAddress): { readonly address?: OrganizationAddress } {
  const address = Object.fromEntries(
    addressLines.flatMap((line) => (options[line] === undefined ? [] : [[line, options[line]]])),
  )
  return Object.keys(address).length === 0 ? {} : { address }
}

/** Converts the service's answer to a change for JSON. */
function changeInJson({ orgId, userId, ...change }: Partial<StatusMessage>): object {
  return {
    ...(orgId === undefined ? {} : { orgId: idInJson(orgId) }),
    ...change,
    ...(userId === undefined ? {} : { userId: idInJson(userId) }),
  }
}

function wholeNumber(text: string): string {
  const number = numberIn(text)
  if (number !== undefined) return number
  throw new InvalidArgumentError('It must be a whole number, 0 or greater.')
}

function role(text: string): string {
  const known = organizationRoles.find((candidate) => candidate.toLowerCase() === text.toLowerCase())
  if (known !== undefined) return known
  throw new InvalidArgumentError(`It must be one of ${organizationRoles.join(', ')}.`)
}
