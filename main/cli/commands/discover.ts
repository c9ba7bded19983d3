import type { Command } from 'commander'
import type { FoundOrganization } from '../../portal/organization-list/organization-directory'
import { displayText } from '../../portal/organization-list/search'
import { action } from '../context'
import { t } from '../language'
import { table } from '../terminal'
import { tellUnreadable } from '../tell-unreadable'

export function addDiscoverCommand(program: Command): void {
  program
    .command('discover')
    .description('search for your organization')
    .argument('<query...>', 'words of its name, in any language')
    .action(
      action<[string[], object]>(async (context, words) => {
        const { services, terminal, signal } = context
        const spoken = await context.languages()
        const { found, unreadable, problem } = await services.directory.search(
          words.join(' '),
          spoken,
          signal,
        )
        if (problem !== undefined) terminal.warn(problem)
        terminal.result(
          found.map((each) => asDocument(each, spoken)),
          found.length === 0
            ? t('terminal.discover.none')
            : table(
                [t('terminal.column.name'), t('terminal.column.type'), t('terminal.column.id')],
                found.map((each) => [
                  displayText(each.displayName, spoken),
                  t(`terminal.discover.${each.type}`),
                  each.id,
                ]),
              ),
        )
        tellUnreadable(terminal, 'organization-list/invalid-document', unreadable)
      }),
    )
}

/** The fields of the lists in camelCase, and the id that `instance add` takes. */
function asDocument(found: FoundOrganization, languages: readonly string[]): object {
  const shared = {
    id: found.id,
    type: found.type,
    displayName: displayText(found.displayName, languages),
    ...(found.keywords === undefined ? {} : { keywordList: displayText(found.keywords, languages) }),
  }
  return found.type === 'secure_internet'
    ? { ...shared, orgId: found.orgId, secureInternetHome: found.home }
    : { ...shared, baseUrl: found.baseUrl, supportContact: found.supportContacts }
}
