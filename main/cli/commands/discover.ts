import type { Command } from 'commander'
import type { Services } from '../../app/services'
import { CausewayError, toErrorReport } from '../../errors'
import type {
  OrganizationDirectory,
  SearchResult,
} from '../../portal/organization-list/organization-directory'
import { displayText } from '../../portal/organization-list/search'
import { action } from '../context'
import { t } from '../language'
import { table } from '../terminal'
import { tellUnreadable } from '../tell-unreadable'

export function addDiscoverCommand(program: Command): void {
  program
    .command('discover')
    .description('search the lists for your organization, and its domain for its portal')
    .argument('<query...>', 'words of its name in any language, its domain, or your e-mail address there')
    .action(
      action<[string[], object]>(async (context, words) => {
        const { services, terminal, signal } = context
        const spoken = await context.languages()
        const query = words.join(' ')
        const { hosts } = await services.portalSearch.place(query)
        const { found, unreadable, problem } = await listed(services, query, spoken, {
          isNeeded: hosts.length === 0,
          signal,
        })
        if (problem !== undefined) terminal.warn(problem)
        if (hosts.length > 0) terminal.note(t('terminal.discover.asking', { hosts: hosts.join(', ') }))
        const portals = await services.portalSearch.look(hosts, signal)
        const others = portals.found.filter((address) => !found.some((each) => serverOf(each) === address))
        if (portals.problem !== undefined) {
          if (found.length === 0) throw portals.problem
          terminal.warn(toErrorReport(portals.problem))
        }
        terminal.result(
          [
            ...found.map((each) => asDocument(each, spoken)),
            ...others.map((id) => ({ id, type: 'portal', displayName: new URL(id).host, baseUrl: id })),
          ],
          found.length + others.length === 0
            ? t(hosts.length === 0 ? 'terminal.discover.none' : 'terminal.discover.nowhere')
            : table(
                [t('terminal.column.name'), t('terminal.column.type'), t('terminal.column.id')],
                [
                  ...found.map((each) => [
                    displayText(each.displayName, spoken),
                    t(`terminal.discover.${each.type}`),
                    each.id,
                  ]),
                  ...others.map((id) => [new URL(id).host, t('terminal.discover.portal'), id]),
                ],
              ),
        )
        tellUnreadable(terminal, 'organization-list/invalid-document', unreadable)
      }),
    )
}

/** Searches the lists, whose failure is only a problem where they aren't all that can be asked. */
async function listed(
  { directory }: Pick<Services, 'directory'>,
  query: string,
  languages: readonly string[],
  { isNeeded, signal }: { readonly isNeeded: boolean; readonly signal: AbortSignal },
): ReturnType<OrganizationDirectory['search']> {
  try {
    return await directory.search(query, languages, signal)
  } catch (error) {
    if (isNeeded || !(error instanceof CausewayError) || error.code === 'http/cancelled') throw error
    const problem = error.code === 'organization-list/not-configured' ? undefined : toErrorReport(error)
    return { found: [], unreadable: 0, problem }
  }
}

function serverOf(found: SearchResult): string {
  return found.type === 'secure_internet' ? found.home : found.baseUrl
}

/** The fields of the lists in camelCase, and the id that `instance add --organization` takes. */
function asDocument(found: SearchResult, languages: readonly string[]): object {
  const shared = {
    id: found.id,
    type: found.type,
    displayName: displayText(found.displayName, languages),
    keywordList: found.keywords && displayText(found.keywords, languages),
  }
  return found.type === 'secure_internet'
    ? { ...shared, orgId: found.orgId, secureInternetHome: found.home }
    : { ...shared, baseUrl: found.baseUrl, supportContact: found.supportContacts }
}
