import type { Command } from 'commander'
import { CausewayError, toErrorReport } from '../../errors'
import type {
  OrganizationDirectory,
  SearchResult,
} from '../../portal/organization-list/organization-directory'
import { displayText } from '../../portal/organization-list/search'
import type { Context } from '../command-context'
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
        const { run, terminal } = context
        const userLanguages = await context.languages()
        const query = words.join(' ')
        const { hosts } = await run('readPlace', { text: query })
        const { results, unreadable, problem } = await listed(context, query, hosts.length === 0)
        if (problem !== undefined) terminal.warn(problem)
        if (hosts.length > 0) terminal.note(t('terminal.discover.asking', { hosts: hosts.join(', ') }))
        const search = await run('lookForPortals', { text: query })
        const others = search.portals.filter((address) => !results.some((each) => serverOf(each) === address))
        if (search.problem !== undefined) {
          if (results.length === 0) throw search.problem
          terminal.warn(toErrorReport(search.problem))
        }
        terminal.result(
          [
            ...results.map((each) => asDocument(each, userLanguages)),
            ...others.map((id) => ({ id, type: 'portal', displayName: new URL(id).host, baseUrl: id })),
          ],
          results.length + others.length === 0
            ? t(hosts.length === 0 ? 'terminal.discover.none' : 'terminal.discover.nowhere')
            : table(
                [t('terminal.column.name'), t('terminal.column.type'), t('terminal.column.id')],
                [
                  ...results.map((each) => [
                    displayText(each.displayName, userLanguages),
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
  { run }: Pick<Context, 'run'>,
  words: string,
  isNeeded: boolean,
): ReturnType<OrganizationDirectory['search']> {
  try {
    return await run('searchOrganizations', { words })
  } catch (error) {
    if (isNeeded || !(error instanceof CausewayError) || error.code === 'http/cancelled') throw error
    const problem = error.code === 'organization-list/not-configured' ? undefined : toErrorReport(error)
    return { results: [], unreadable: 0, problem }
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
