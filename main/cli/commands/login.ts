import type { Command } from 'commander'
import { CausewayError } from '../../errors'
import { action } from '../context'
import { t } from '../language'
import { tellEnded } from '../tell-ended'

export function addLoginCommands(program: Command): void {
  program
    .command('login')
    .description('log in with your browser')
    .argument('[instance]', "the instance's ID or address")
    .option('--no-browser', 'print the address for a browser elsewhere, and read the address that it ends at')
    .option(
      '--renew',
      'renew the login before it expires, with a new certificate; the old one stays valid until then',
    )
    .action(
      action<[string | undefined, { readonly renew?: true }]>(async (context, idOrAddress, { renew }) => {
        const { services, terminal, signal } = context
        const instance = await services.instances.find(idOrAddress)
        if (context.login === 'never') throw noLogin()
        await (renew === true
          ? services.renewSession(instance, {}, (session) => session.logIn(signal))
          : services.session(instance).logIn(signal))
        terminal.result(
          { instance: instance.id, loggedIn: true },
          t('terminal.login.done', { instance: instance.id }),
        )
      }),
    )

  program
    .command('logout')
    .description('disconnect, and delete the tokens, the key pair and everything else stored for the login')
    .argument('[instance]', "the instance's ID or address")
    .action(
      action<[string | undefined, object]>(async ({ services, terminal }, idOrAddress) => {
        const instance = await services.instances.find(idOrAddress)
        try {
          tellEnded(terminal, instance.id, await services.disconnectFrom(instance.id))
        } finally {
          await services.session(instance).logOut()
        }
        const revokeAt = instance.address
        terminal.result(
          { instance: instance.id, loggedIn: false, revokeAt },
          t('terminal.login.ended', { instance: instance.id, address: revokeAt }),
        )
      }),
    )
}

/** The error for a login that `--no-login` rules out. */
function noLogin(): CausewayError {
  return new CausewayError('oauth/login-required', { variant: 'no-login' })
}
