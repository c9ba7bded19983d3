import type { FoundOrganization, organizationListCommands } from '../../contract/organization-list'
import { CausewayError, toErrorReport } from '../errors'
import type { CommandHandlers } from './dispatch'
import type { SearchResult } from '../portal/organization-list/organization-directory'
import { displayText } from '../portal/organization-list/search'
import type { AppModel } from './models/app-model'
import type { Services } from '../app/services'

/** The maximum number of results. */
const mostShown = 50

/** The commands of the window about the lists of organizations; errors are those of the services. */
export function organizationListCommandHandlers(
  services: Pick<Services, 'directory' | 'portalSearch' | 'addOrganization' | 'setLocation' | 'openBrowser'>,
  model: Pick<AppModel, 'instances' | 'instance' | 'settings'>,
): CommandHandlers<keyof typeof organizationListCommands> {
  return {
    searchOrganizations: async ({ words }) => {
      const { languages } = model.settings
      const { found, unreadable, problem } = await services.directory.search(words, languages)
      return {
        found: shown(found.slice(0, mostShown), languages),
        total: found.length,
        unreadable,
        problem,
      }
    },
    readPlace: async ({ text }) => {
      const { kind, hosts } = await services.portalSearch.place(text)
      return { kind, hosts: [...hosts] }
    },
    lookForPortals: async ({ text }) => {
      const { hosts } = await services.portalSearch.place(text)
      const { found, problem } = await services.portalSearch.look(hosts)
      return { found: [...found], problem: problem && toErrorReport(problem) }
    },
    addOrganization: async ({ id }) => {
      const instance = await services.addOrganization({ id })
      await model.instances.listed()
      return { instanceId: instance.id }
    },
    setLocation: async ({ instanceId, address }) => {
      await services.setLocation(instanceId, address)
      await model.instances.listed()
    },
    openSupportContact: async ({ instanceId, contact }) => {
      if (!model.instance(instanceId).hasSupportContact(contact))
        throw new CausewayError('usage/invalid-argument')
      await services.openBrowser(new URL(contact))
    },
  }
}

/** Returns the results as shown, with a distinguishing text for equal names of the same type. */
function shown(found: readonly SearchResult[], languages: readonly string[]): FoundOrganization[] {
  const named = found.map((each) => ({ each, name: displayText(each.displayName, languages) }))
  return named.map(({ each, name }) => {
    const isAlone = named.filter((other) => other.name === name && other.each.type === each.type).length === 1
    const address = each.type === 'secure_internet' ? each.home : each.baseUrl
    return {
      id: each.id,
      type: each.type,
      name,
      host: isAlone ? undefined : new URL(address).host,
    }
  })
}
