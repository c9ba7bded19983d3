import { type Command, InvalidArgumentError } from 'commander'
import { CausewayError } from '../../errors'
import {
  type AddressLine,
  addressLines,
  type Organization,
  roles,
  type StatusMessage,
} from '../../services/organizations/organization'
import type {
  OrganizationPlace,
  OrganizationsClient,
} from '../../services/organizations/organizations-client'
import type { ReadingClients } from '../../app/service-reads'
import { ask, canAsk } from '../ask'
import { action, type Context } from '../context'
import { table } from '../terminal'
import { addOrganizationCredentialsCommands } from './organization-credentials'
import { findUser, idInJson, numberIn, shortened, unreadableText } from './organization-user'

/** Which organization is meant; without both, the current one. */
interface Chosen {
  readonly instance?: string
  readonly org?: string
  readonly name?: string
}
type ReadingClient = ReadingClients['organizations']
type AddressOptions = Readonly<Partial<Record<AddressLine, string>>>

/** `causeway organization …` (INTERFACES, "Terminal command"). */
export function addOrganizationCommands(program: Command): void {
  const organization = program.command('organization').description('organizations and their users')
  const command = (words: string, description: string): Command =>
    organization.command(words).description(description).option('--instance <instance>', 'its id or address')
  const onOne = (words: string, description: string): Command => {
    const made = command(words, description)
    return made
      .addOption(made.createOption('--org <id>', 'the one of this number').argParser(wholeNumber))
      .addOption(made.createOption('--name <name>', 'the one of exactly this name').conflicts('org'))
  }

  onOne('show', 'show the current one, or another').action(
    action<[Chosen]>(async (context, chosen) => {
      const shown = await read(context, chosen, (client) => find(client, chosen, context.signal))
      context.terminal.result({ ...shown, id: idInJson(shown.id) }, describe(shown))
    }),
  )

  withAddress(command('create <name>', 'make one'), 'its').action(
    action<[string, Chosen & AddressOptions]>(async (context, name, options) => {
      const client = await clientFor(context, options)
      const created = await client.create({ name, ...addressOf(options) })
      const number = created.orgId === undefined ? '' : ` Its number is ${created.orgId}.`
      context.terminal.result(changeInJson(created), `Created ${shortened(name, 80)}.${number}`)
    }),
  )

  withAddress(
    onOne('update', 'rename one, or change its address').option('--rename <name>', 'its new name'),
    'its new',
  )
    .addHelpText('after', '\nLines of the address that are not named stay as they are; "" empties one.')
    .action(
      action<[Chosen & AddressOptions & { readonly rename?: string }]>(async (context, options) => {
        const changes = {
          ...(options.rename === undefined ? {} : { name: options.rename }),
          ...addressOf(options),
        }
        if (Object.keys(changes).length === 0) {
          throw new CausewayError(
            'usage/invalid-argument',
            'Nothing to change was named. Use --rename, or a line of the address such as --city.',
          )
        }
        const client = await clientFor(context, options)
        const place = await placeOf(client, options, context.signal)
        context.terminal.result(changeInJson(await client.update(place, changes)), 'Updated.')
      }),
    )

  onOne('delete', 'delete one')
    .option('--yes', 'do not ask for its name')
    .action(
      action<[Chosen & { readonly yes?: true }]>(async (context, options) => {
        const client = await clientFor(context, options)
        const meant = await find(client, options, context.signal)
        if (options.yes !== true) await confirmName(meant, context)
        context.terminal.result(
          changeInJson(await client.remove(meant.id)),
          `Deleted ${shortened(meant.name, 80)}.`,
        )
      }),
    )

  onOne('users', 'list its users').action(
    action<[Chosen]>(async (context, chosen) => {
      const { users, unreadable } = await read(context, chosen, async (client) =>
        client.users(await placeOf(client, chosen, context.signal), context.signal),
      )
      const { login: loginWidth, email: emailWidth } = widths()
      context.terminal.result(
        users.map((user) => ({
          ...user,
          ...(user.orgId === undefined ? {} : { orgId: idInJson(user.orgId) }),
          userId: idInJson(user.userId),
        })),
        users.length === 0 && unreadable === 0
          ? 'It has no users.'
          : table(
              ['USER', 'LOGIN', 'E-MAIL', 'ROLE', 'LAST SEEN'],
              users.map(({ userId, login, email, role, lastSeenAtAge }) => [
                userId,
                shortened(login, loginWidth),
                shortened(email, emailWidth),
                role,
                lastSeenAtAge ?? '',
              ]),
            ),
      )
      if (unreadable > 0) {
        context.terminal.notice({
          code: 'organizations/invalid-response',
          message: unreadableText(unreadable),
          details: { unreadable },
        })
      }
    }),
  )

  withRole(onOne('add-user <login>', 'add a user by login or e-mail address')).action(
    action<[string, Chosen & { readonly role: string }]>(async (context, loginOrEmail, options) => {
      const client = await clientFor(context, options)
      const place = await placeOf(client, options, context.signal)
      const added = await client.addUser(place, { loginOrEmail, role: options.role })
      context.terminal.result(changeInJson(added), `Added ${shortened(loginOrEmail, 80)} as ${options.role}.`)
    }),
  )

  withRole(onOne('set-role <user>', 'give a user another role; by number, login or e-mail address')).action(
    action<[string, Chosen & { readonly role: string }]>(async (context, user, options) => {
      const client = await clientFor(context, options)
      const place = await placeOf(client, options, context.signal)
      const member = await findUser(client, place, user, context.signal)
      const changed = await client.setRole(place, member, options.role)
      context.terminal.result(changeInJson(changed), `${shortened(user, 80)} is ${options.role} now.`)
    }),
  )

  onOne('remove-user <user>', 'remove a user; by number, login or e-mail address').action(
    action<[string, Chosen]>(async (context, user, options) => {
      const client = await clientFor(context, options)
      const place = await placeOf(client, options, context.signal)
      const { userId } = await findUser(client, place, user, context.signal)
      const removed = await client.removeUser(place, userId)
      context.terminal.result(changeInJson(removed), `Removed ${shortened(user, 80)}.`)
    }),
  )

  addOrganizationCredentialsCommands(organization)
}

async function clientFor({ services, signal }: Context, { instance }: Chosen): Promise<OrganizationsClient> {
  return services.organizations(await services.instances.find(instance), signal)
}

/** With `--offline` what was seen last, where the service cannot be reached. */
async function read<T>(
  context: Context,
  { instance: idOrAddress }: Chosen,
  ask: (client: ReadingClient) => Promise<T>,
): Promise<T> {
  const { services, signal } = context
  const instance = await services.instances.find(idOrAddress)
  return context.known(await services.read.organizations(instance, ask, signal))
}

function find(client: ReadingClient, { org, name }: Chosen, signal: AbortSignal): Promise<Organization> {
  if (org !== undefined) return client.byId(org, signal)
  return name === undefined ? client.current(signal) : client.byName(name, signal)
}

async function placeOf(
  client: ReadingClient,
  { org, name }: Chosen,
  signal: AbortSignal,
): Promise<OrganizationPlace> {
  if (org !== undefined) return { orgId: org }
  return name === undefined ? 'current' : { orgId: (await client.byName(name, signal)).id }
}

/** How many characters of a login and an e-mail address fit beside the other columns. */
function widths(): { readonly login: number; readonly email: number } {
  const others = 40
  const left = Math.max(24, (process.stdout.isTTY ? process.stdout.columns : 120) - others)
  const login = Math.floor(left * 0.4)
  return { login, email: left - login }
}

async function confirmName({ name, id }: Organization, { terminal, signal }: Context): Promise<void> {
  if (terminal.json || !canAsk()) {
    throw new CausewayError(
      'usage/invalid-argument',
      'Deleting an organization has to be confirmed. Say --yes where nobody can be asked.',
      { details: { argument: 'yes' } },
    )
  }
  const typed = await ask(
    `Organization ${id} is deleted with all that belongs to it. Type its name to go on (${shortened(name, 190)}): `,
    { signal },
  )
  if (typed.trim() === name.trim()) return
  throw new CausewayError('usage/invalid-argument', 'This is not its name. Nothing was deleted.')
}

function describe({ id, name, address }: Organization): string {
  const lines = addressLines.map((line) => address?.[line] ?? '').filter((text) => text !== '')
  return [`${shortened(name, 190)} (number ${id})`, ...lines.map((line) => `  ${shortened(line, 190)}`)].join(
    '\n',
  )
}

function withRole(command: Command): Command {
  return command.addOption(
    command.createOption('--role <role>', roles.join(', ')).argParser(role).makeOptionMandatory(),
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

function addressOf(options: AddressOptions): { readonly address?: AddressOptions } {
  const address = Object.fromEntries(
    addressLines.flatMap((line) => (options[line] === undefined ? [] : [[line, options[line]]])),
  )
  return Object.keys(address).length === 0 ? {} : { address }
}

/** What a service says of a change. */
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
  throw new InvalidArgumentError('It is a whole number from 0.')
}

function role(text: string): string {
  const known = roles.find((candidate) => candidate.toLowerCase() === text.toLowerCase())
  if (known !== undefined) return known
  throw new InvalidArgumentError(`It is one of ${roles.join(', ')}.`)
}
