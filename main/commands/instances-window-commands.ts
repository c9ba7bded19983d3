import type { Services } from '../app/services'
import { CausewayError } from '../errors'
import type { ConfirmChanges } from './confirm-changes'
import type { CommandHandlers } from './dispatch'
import type { AppModel } from './models/app-model'
import type { SharedCommands } from './shared-commands'

/** What the window does besides when it runs a command that the terminal has too. */
interface WindowParts {
  readonly services: Services
  readonly model: AppModel
  /** The handlers of window and terminal. */
  readonly shared: CommandHandlers<keyof SharedCommands>
  readonly confirm: ConfirmChanges
}

/** Returns the handlers that change the list of services. They resolve once the window shows it. */
export function listWindowHandlers({ services, model, shared, confirm }: WindowParts) {
  /** Runs a command, and waits until the list of instances shows what it did. */
  const listed =
    <Input, Output>(run: (input: Input) => Promise<Output>) =>
    async (input: Input): Promise<Output> => {
      const output = await run(input)
      await model.instances.listed()
      return output
    }
  return {
    addInstance: listed(async ({ address }) => {
      const { id } = await services.addInstance({ address, unconfirmed: true })
      return { instanceId: id }
    }),
    removeInstance: listed(async (input) => {
      model.instance(input.instanceId).cancelLogIn()
      await shared.removeInstance(input)
    }),
    setInstanceSettings: listed(async (input) => {
      await confirm.services(await services.instances.find(input.instanceId), input)
      // The next command uses the new settings.
      await shared.setInstanceSettings(input)
    }),
    addOrganization: listed(shared.addOrganization),
    setLocation: listed(shared.setLocation),
  } satisfies Partial<CommandHandlers>
}

/** Returns the handlers of logins and of the connection. */
export function connectionWindowHandlers(
  { services, model, shared, confirm }: WindowParts,
  copyText: (text: string) => Promise<void>,
) {
  return {
    connect: async (input) => {
      await confirm.firstConnection(input.instanceId)
      return shared.connect(input)
    },
    logIn: async (input) => {
      await confirm.transfersEnd(input.instanceId, model.language.t('instance.logIn'))
      return shared.logIn(input)
    },
    logOut: async (input) => {
      await confirm.transfersEnd(input.instanceId, model.language.t('instance.logOut'))
      return shared.logOut(input)
    },
    cancelLogIn: async ({ instanceId }) => {
      if (model.instance(instanceId).cancelLogIn()) return
      // The login belongs to a connection and ends with it.
      const { state } = services.connection
      if (state.state === 'authorizing' && state.target.instanceId === instanceId) {
        await services.connection.disconnect()
      }
    },
    openLogInAgain: async ({ instanceId }) => services.browserLogins.of(instanceId)?.openAgain(),
    copyLogInLink: async ({ instanceId }) => {
      const login = services.browserLogins.of(instanceId)
      if (login !== undefined) await copyText(login.link.href)
    },
    renewSession: async (input) => {
      await confirm.transfersEnd(input.instanceId, model.language.t('connection.expiry.renew'))
      const view = model.instance(input.instanceId)
      // It may connect afterwards.
      await confirm.firstConnection(input.instanceId)
      await view.renew(async () => {
        await shared.renewSession(input)
        await view.readValidity()
      })
    },
    disconnect: () => model.disconnect(),
    retryNow: () => {
      // Another process makes its own attempts.
      if (!model.showsOther()) services.connection.retryNow()
      return Promise.resolve()
    },
  } satisfies Partial<CommandHandlers>
}

/** Returns the handlers of what the window shows of one service. */
export function instanceWindowHandlers({ services, model, shared, confirm }: WindowParts) {
  return {
    refreshProfiles: async ({ instanceId }) => model.instance(instanceId).refreshProfiles(),
    refreshMessages: async ({ instanceId }) => model.instance(instanceId).refreshMessages(),
    markMessagesRead: async ({ instanceId, ids }) => model.instances.markMessagesRead(instanceId, ids),
    openNetworkPage: async ({ instanceId }) =>
      services.openNetworkPage(new URL(model.instance(instanceId).instance.address)),
    openSupportContact: async ({ instanceId, contact }) => {
      if (!model.instance(instanceId).hasSupportContact(contact))
        throw new CausewayError('usage/invalid-argument')
      await services.openBrowser(new URL(contact))
    },
    chooseProtocol: async (choice) => {
      model.instance(choice.instanceId)
      await services.profileChoices.choose(choice)
    },
    chooseAppsMode: async (choice) => {
      model.instance(choice.instanceId)
      await confirm.appsMode(choice, choice.mode)
      await shared.chooseAppsMode(choice)
    },
    foldService: async ({ instanceId, folded }) => {
      model.instance(instanceId)
      await services.serviceFolds.put({ instanceId, profileId: '', folded })
    },
    starProfile: async ({ starred, ...target }) => {
      model.instance(target.instanceId)
      await services.starredProfiles[starred ? 'put' : 'remove'](target)
    },
  } satisfies Partial<CommandHandlers>
}
