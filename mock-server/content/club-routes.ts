import { z } from 'zod'
import type { App } from '../http/app'
import { entrySchema, revealedSchema, wholeEntrySchema, type WholeEntry } from './answer-schemas'
import { answer, badParameter, described, sendContentError, unknown } from './content-answer'
import type { HeldEntry } from './content-data'
import type { ContentService } from './content-service'
import { clubItemParameters, clubParameters, revealParameters, searchParameters } from './parameters'
import { entryAt } from './reveal'
import { searchEntries } from './search'
import { clubEntries, newestFirst, pageOf } from './selection'

const maxRelated = 5

function whole({ entry, entryJSON }: HeldEntry): WholeEntry {
  return { ...entry, entryJSON }
}

/**
 * Adds club, club/item, search and content/reveal below `base` (content-and-organization-apis.md, section 4, interface
 * A).
 */
export function addClubRoutes(app: App, base: string, service: ContentService): void {
  const entries = z.array(entrySchema).describe('The entries')

  app.get(
    `${base}/club`,
    {
      schema: {
        ...described('Entries of the community'),
        querystring: clubParameters,
        response: { 200: entries, ...badParameter },
      },
    },
    ({ query }, reply) => {
      service.addArrival()
      const listed = clubEntries(service.data.entries, query.type, query.sortMode, service.now)
      return answer(reply, service, pageOf(listed, query))
    },
  )
  app.get(
    `${base}/club/item`,
    {
      schema: {
        ...described('One entry with its text'),
        querystring: clubItemParameters,
        response: { 200: wholeEntrySchema.describe('The entry'), ...badParameter, ...unknown('entry') },
      },
    },
    ({ query }, reply) => {
      const found = service.data.entries.find(({ entry }) => entry.id === query.entryId)
      return found === undefined || service.variant === 'entry-vanished'
        ? sendContentError(reply, 404, 'Entry not found.')
        : answer(reply, service, whole(found))
    },
  )
  app.get(
    `${base}/search`,
    {
      schema: {
        ...described('Entries that have words or hashtags in title or intro, newest first'),
        querystring: searchParameters,
        response: { 200: entries, ...badParameter },
      },
    },
    ({ query }, reply) => answer(reply, service, pageOf(searchEntries(service.data.entries, query.q), query)),
  )
  app.get(
    `${base}/content/reveal`,
    {
      schema: {
        ...described('The article behind an address'),
        description:
          'The address must be that of an entry. Its fragment, slashes at its end and parameters that begin with utm_ ' +
          'do not matter.',
        querystring: revealParameters,
        response: { 200: revealedSchema.describe('The article'), ...badParameter, ...unknown('article') },
      },
    },
    ({ query }, reply) => {
      const found = entryAt(service.data.entries, query.url)
      if (found === undefined || service.variant === 'entry-vanished') {
        return sendContentError(reply, 404, 'Article not found.')
      }
      const { id, type } = found.entry
      const related = service.data.entries.filter(({ entry }) => entry.type === type && entry.id !== id)
      return answer(reply, service, {
        id,
        data: whole(found),
        sectionRelated: newestFirst(related).slice(0, maxRelated),
      })
    },
  )
}
