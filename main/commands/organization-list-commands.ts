import type { CommandInput, organizationListCommands } from '../../contract/commands'
import type { FoundOrganization } from '../../contract/organization-list'
import type { Services } from '../app/services'
import { toErrorReport } from '../errors'
import type { NewInstance } from '../portal/instance/instance-list'
import type { SearchResult } from '../portal/organization-list/organization-directory'
import { displayText } from '../portal/organization-list/search'
import type { Face } from './face'
import { voidHandler, type SharedHandlers, handler } from './handler'

/** The maximum number of results in the window. */
const maxShown = 50

/** Returns the handlers of the lists of organizations; errors are those of the services. */
export function organizationListHandlers(
  services: Pick<Services, 'directory' | 'portalSearch' | 'addOrganization' | 'setLocation'>,
  { languages }: Pick<Face, 'languages'>,
) {
  return {
    searchOrganizations: handler(
      async ({ words }: CommandInput<'searchOrganizations'>, signal) => {
        const userLanguages = await languages()
        return { ...(await services.directory.search(words, userLanguages, signal)), spoken: userLanguages }
      },
      ({ results, spoken, unreadable, problem }) => ({
        results: shownOrganizations(results.slice(0, maxShown), spoken),
        total: results.length,
        unreadable,
        problem,
      }),
    ),
    readPlace: handler(
      async ({ text }: CommandInput<'readPlace'>) => services.portalSearch.place(text),
      ({ kind, hosts }) => ({ kind, hosts: [...hosts] }),
    ),
    lookForPortals: handler(
      async ({ text }: CommandInput<'lookForPortals'>, signal) => {
        const { hosts } = await services.portalSearch.place(text)
        return services.portalSearch.look(hosts, signal)
      },
      ({ portals, problem }) => ({ portals: [...portals], problem: problem && toErrorReport(problem) }),
    ),
    addOrganization: handler(
      async (
        entry: CommandInput<'addOrganization'> & { readonly location?: string } & Pick<
            NewInstance,
            'clientId' | 'apiVersion'
          >,
        signal,
      ) => services.addOrganization(entry, signal),
      ({ id }) => ({ instanceId: id }),
    ),
    setLocation: voidHandler(async ({ instanceId, address }: CommandInput<'setLocation'>) =>
      services.setLocation(instanceId, address),
    ),
  } satisfies SharedHandlers<Exclude<keyof typeof organizationListCommands, 'openSupportContact'>>
}

/** Returns the results as shown, with a distinguishing text for equal names of the same type. */
function shownOrganizations(
  found: readonly SearchResult[],
  languages: readonly string[],
): FoundOrganization[] {
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
