import type { Command } from 'commander'
import { CausewayError } from '../../errors'
import { onInstance, withInstanceArgument } from '../context'
import { t } from '../language'
import { tellEnded } from '../tell-ended'

export function addLoginCommands(program: Command): void {
  withInstanceArgument(program.command('login').description('sign in with your browser'))
    .option('--no-browser', 'print the address for a browser elsewhere, and read the address that it ends at')
    .option(
      '--renew',
      'renew the sign-in before it expires, with a new certificate; the old one stays valid until then',
    )
    .action(
      onInstance<[{ readonly renew?: true }]>(async (context, { renew }) => {
        const { instance, run, terminal } = context
        if (context.login === 'never')
          throw new CausewayError('oauth/login-required', { variant: 'no-login' })
        await run(renew === true ? 'renewSession' : 'logIn', { instanceId: instance.id })
        terminal.result(
          { instance: instance.id, loggedIn: true },
          t('terminal.login.done', { instance: instance.id }),
        )
      }),
    )

  withInstanceArgument(program.command('logout'))
    .description('disconnect, and delete the tokens, the key pair and everything else stored for the sign-in')
    .action(
      onInstance(async ({ instance, run, terminal }) => {
        await run('logOut', {
          instanceId: instance.id,
          onEnded: (ended) => {
            tellEnded(terminal, instance.id, ended)
          },
        })
        const revokeAt = instance.address
        terminal.result(
          { instance: instance.id, loggedIn: false, revokeAt },
          t('terminal.login.ended', { instance: instance.id, address: revokeAt }),
        )
      }),
    )
}
