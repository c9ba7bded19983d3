import type { Command } from 'commander'
import { CausewayError } from '../../errors'
import type { OrganizationCredential, OrganizationCredentialsItem } from '../../../contract/organizations'
import type { CredentialKind } from '../../services/organizations/organization-credentials'
import { askSecret } from '../ask'
import type { Context } from '../command-context'
import { onInstance, withInstance } from '../context'
import { t } from '../language'

interface Options {
  readonly kind?: CredentialKind
  readonly user?: string
}

/** Adds `causeway organization credentials …`. */
export function addOrganizationCredentialsCommands(organization: Command): void {
  const credentials = organization
    .command('credentials')
    .description('manage your credentials for an organization service')
  const command = (words: string, description: string): Command =>
    withInstance(credentials.command(words).description(description))

  command('show', 'show which credentials are stored, never the secrets').action(
    onInstance(async ({ instance, run, terminal }) => {
      const stored = await run('organizationCredentials', { instanceId: instance.id })
      terminal.result(stored, described(stored))
    }),
  )

  const set = command('set', 'store credentials on this computer, for this service only')
  set
    .addOption(
      set
        .createOption('--kind <kind>', 'a token, or a user name and password')
        .choices(['bearer', 'basic'])
        .makeOptionMandatory(),
    )
    .option('--user <name>', 'the user name, with --kind basic')
    .addHelpText(
      'after',
      '\nThe token or password is read from standard input, or prompted for in a terminal.',
    )
    .action(
      onInstance<[Options]>(async (context, options) => {
        const { instance, services, terminal, signal } = context
        // Nobody is asked for credentials that no service takes.
        const { baseUrl } = await services.organizations(instance, signal)
        const credential = await credentialFrom(options, context)
        const stored = await context.run('setOrganizationCredentials', {
          instanceId: instance.id,
          credential,
        })
        const { origin } = new URL(baseUrl)
        terminal.result(
          stored,
          services.secretsFile === undefined
            ? t('terminal.credentials.inKeyStore', { origin })
            : t('terminal.credentials.inFile', { path: services.secretsFile, origin }),
        )
      }),
    )

  const remove = command('remove', 'delete the stored credentials')
  remove
    .addOption(
      remove.createOption('--kind <kind>', 'only credentials of this kind').choices(['bearer', 'basic']),
    )
    .action(
      onInstance<[Options]>(async ({ instance, run, terminal }, { kind }) => {
        const stored = await run('removeOrganizationCredentials', { instanceId: instance.id, kind })
        terminal.result(stored, t('terminal.credentials.removed'))
      }),
    )
}

async function credentialFrom({ kind, user }: Options, { signal }: Context): Promise<OrganizationCredential> {
  if (kind === 'bearer') return { kind, token: await askSecret(t('terminal.credentials.token'), signal) }
  if (user === undefined) {
    throw new CausewayError('usage/invalid-argument', {
      variant: 'user-needed',
      details: { argument: 'user' },
    })
  }
  return { kind: 'basic', user, password: await askSecret(t('terminal.credentials.password'), signal) }
}

function described({ bearer, basic, origin }: Omit<OrganizationCredentialsItem, 'keptIn'>): string {
  const there = [
    ...(bearer ? [t('organization.credentials.keptToken')] : []),
    ...(basic === undefined ? [] : [t('organization.credentials.keptUser', { user: basic })]),
  ]
  const [one, other] = there
  if (one === undefined || origin === undefined) return t('terminal.credentials.none')
  const both = other === undefined ? one : t('terminal.credentials.both', { one, other })
  return t('terminal.credentials.for', { origin, kept: both })
}
