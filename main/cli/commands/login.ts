import type { Command } from 'commander'
import { action } from '../context'

export function addLoginCommands(program: Command): void {
  program
    .command('login')
    .description('log in with the browser')
    .argument('[instance]', 'its id or address')
    .option(
      '--renew',
      'begin anew before the login ends, with a new certificate; what was there stays until that is done',
    )
    .action(
      action<[string | undefined, { readonly renew?: true }]>(async (context, idOrAddress, { renew }) => {
        const { services, terminal, signal } = context
        const instance = await services.instances.find(idOrAddress)
        await (renew === true
          ? services.renewSession(instance, {}, (session) => session.logIn(signal))
          : services.session(instance).logIn(signal))
        terminal.result({ instance: instance.id, loggedIn: true }, `Logged in to ${instance.id}.`)
      }),
    )

  program
    .command('logout')
    .description('forget the tokens')
    .argument('[instance]', 'its id or address')
    .action(
      action<[string | undefined, object]>(async ({ services, terminal }, idOrAddress) => {
        const instance = await services.instances.find(idOrAddress)
        await services.session(instance).logOut()
        terminal.result({ instance: instance.id, loggedIn: false }, `Logged out of ${instance.id}.`)
      }),
    )
}
