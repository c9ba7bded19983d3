import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { addRoute, type App } from '../http/app'
import type { MockState } from '../mock-state'
import { tags } from '../openapi/openapi'
import { paths } from '../paths'
import { maxWorlds, prefixOf, worldName } from '../worlds'
import { Refusal } from '../http/refusal'
import { answerIn, errorAnswer, optional } from '../schemas'
import { call } from './control-calls'
import { activeFaultSchema, faultRuleSchema, maxFaults } from './faults'
import { journalFilter, maxEntries } from './journal'
import { journalEntrySchema } from './journal-record'
import { conflictOf, type Scenario, scenarioParts, scenarios } from './scenarios'
import { messageOf } from '../errors'

const maxSeconds = 1e9
export const clockChange = z.union(
  [
    z.strictObject({ advanceSeconds: z.number().min(-maxSeconds).max(maxSeconds) }),
    z.strictObject({ now: z.iso.datetime({ offset: true }) }),
  ],
  { error: 'must be {"advanceSeconds": n} with n from -1e9 to 1e9, or {"now": "2026-11-20T12:00:00Z"}' },
)
const earliest = Date.parse('1970-01-01T00:00:00Z')
const latest = Date.parse('9000-01-01T00:00:00Z')

/** Any text, so that an unknown name is answered with similar ones; documents and the client's types list the names. */
const scenarioName = z
  .string()
  .max(200)
  .meta({ enum: scenarios.map(({ name }) => name) })
const needsMore = 'This mock was started without something that the scenario needs; the error says what'

export const generalCalls = {
  'POST /reset': call({
    summary: 'Resets everything to the seed data',
    run: async ({ world }) => {
      world.reset()
      await world.vpn.networks.changes.settled()
    },
  }),
  'POST /clock': call({
    summary: 'Moves the clock',
    description: 'Tokens, codes, certificates and pre-signed URLs expire by this clock.',
    body: clockChange,
    answer: z.object({ now: z.string() }).describe('The new time.'),
    refusals: { 409: 'The clock would leave the years 1970 to 8999.' },
    run: ({ body, world }) => {
      const { clock } = world
      const now = 'now' in body ? Date.parse(body.now) : clock.now().getTime() + body.advanceSeconds * 1000
      if (now < earliest || now >= latest) {
        throw new Refusal(409, 'The clock goes from 1970 to 8999 only. Choose a time between.')
      }
      world.moveClock(body)
      return { now: clock.now().toISOString() }
    },
  }),
  'GET /faults': call({
    summary: 'Lists the active faults',
    answer: z.array(activeFaultSchema).describe('The faults in the order in which they apply, newest first.'),
    run: ({ world }) => world.faults.rules,
  }),
  'POST /faults': call({
    summary: 'Adds a fault for the next matching requests',
    description: 'The newest matching fault applies. Control calls are never affected.',
    body: faultRuleSchema,
    answer: z
      .object({ ok: z.literal(true), id: z.string().describe('For DELETE /_mock/faults/{id}') })
      .describe('The fault is active.'),
    refusals: { 409: 'There are too many faults already.' },
    run: ({ body, world: { faults } }) => {
      if (faults.rules.length >= maxFaults) {
        throw new Refusal(409, `There are ${maxFaults} faults already. Clear some first.`)
      }
      return { ok: true, id: faults.add(body) }
    },
  }),
  'DELETE /faults': call({
    summary: 'Clears the faults',
    run: ({ world }) => {
      world.faults.clear()
    },
  }),
  'DELETE /faults/:id': call({
    summary: 'Clears one fault',
    params: z.object({ id: z.string().max(100) }),
    refusals: { 404: 'There is no fault with this id.' },
    run: ({ params, world }) => {
      if (world.faults.remove(params.id)) return
      throw new Refusal(404, 'There is no fault with this id. It may have applied for the last time.')
    },
  }),
  'GET /scenarios': call({
    summary: 'Lists the scenarios',
    description: 'The active ones are in `GET /_mock`.',
    answer: z
      .array(
        z.object({
          name: z.string(),
          part: z.enum(scenarioParts),
          sentence: z.string(),
          changes: z.array(z.string()).describe('Scenarios that change the same thing cannot be combined'),
        }),
      )
      .describe('Each with what clients experience while it is active.'),
    run: () => scenarios.map(({ name, part, sentence, changes }) => ({ name, part, sentence, changes })),
  }),
  'POST /scenarios': call({
    summary: 'Applies several scenarios together',
    description: 'They replace the previous ones and all faults, and keep what clients did.',
    body: z.strictObject({ names: z.array(scenarioName).max(20) }),
    answer: z.object({ names: z.array(z.string()) }).describe('The scenarios are active.'),
    refusals: {
      404: 'There is no scenario with one of these names; the error lists similar names.',
      409: `Two of them change the same thing; the error names both. Or: ${needsMore}.`,
    },
    run: async ({ body, world }) => {
      await apply(world, body.names.map(scenarioNamed))
      return { names: world.scenarios }
    },
  }),
  'POST /scenarios/:name': call({
    summary: 'Applies a scenario',
    description:
      'It replaces the previous scenarios and all faults, and keeps what clients did. all-well ends the active scenarios.',
    params: z.object({ name: scenarioName }),
    answer: z.object({ name: z.string(), sentence: z.string() }).describe('The scenario is active.'),
    refusals: {
      404: 'There is no scenario with this name; the error lists similar names.',
      409: `${needsMore}.`,
    },
    run: async ({ params, world }) => {
      const scenario = scenarioNamed(params.name)
      await apply(world, [scenario])
      return { name: scenario.name, sentence: scenario.sentence }
    },
  }),
  'GET /requests': call({
    summary: 'Lists the requests in the journal',
    description: `The newest ${maxEntries}, complete with secrets. Control calls are not recorded.`,
    query: journalFilter,
    answer: z.array(journalEntrySchema).describe('Newest last.'),
    run: ({ query, world }) => world.journal.find(query),
  }),
  'DELETE /requests': call({
    summary: 'Empties the journal',
    run: ({ world }) => {
      world.clearJournal()
    },
  }),
  'GET /worlds': call({
    summary: 'Lists the worlds',
    answer: z.object({ worlds: z.array(z.string()) }).describe('Besides the main one, oldest first.'),
    run: ({ server }) => ({ worlds: [...server.worlds.others.keys()] }),
  }),
  'POST /worlds': call({
    summary: 'Creates an isolated world in this server',
    description:
      'It has a state, a clock, scenarios, faults and a journal of its own, with the seed data. Requests choose it by the path of its origin, by the header `X-Mock-World`, by a host name that begins with its name, such as `NAME.localhost`, or by a port of its own.',
    body: z
      .strictObject({
        name: optional(
          z.string().regex(worldName, { error: 'must be 1 to 63 lower-case letters, digits and hyphens' }),
          'Chosen by the mock if omitted',
        ),
        port: optional(z.boolean(), 'Listens for it on a port of its own, which its origin names'),
      })
      .nullish(),
    answer: z
      .object({
        world: z.string(),
        origin: z.string().describe('Where its services are: the instance, attachments, content, …'),
        control: z.string().describe('Where its control calls are'),
        discovery: z.object({ url: z.string(), key: z.string() }).describe('Its discovery server'),
      })
      .describe('The world is ready.'),
    refusals: {
      409: 'There is a world with this name, or there are too many; or a port is wanted beside `--origin`.',
    },
    run: async ({ body, server: { worlds, newServer, origins, host }, serverOrigin }) => {
      const wantsPort = body?.port === true
      if (wantsPort && origins.fixed !== undefined)
        throw new Refusal(
          409,
          'All answers name the origin of --origin, so a world can have no port of its own.',
        )
      if (worlds.others.size >= maxWorlds) {
        throw new Refusal(409, `There are ${maxWorlds} worlds already. Delete some first.`)
      }
      const added = worlds.add(body?.name)
      if (added === undefined) throw new Refusal(409, 'There is a world with this name already.')
      const { name, world } = added
      const origin = wantsPort
        ? origins.at(host, await worlds.openPort(name, newServer(world), host))
        : `${serverOrigin}${prefixOf(name)}`
      const discovery = { url: `${origin}/discovery/`, key: world.discovery.publicKey }
      return { world: name, origin, control: `${origin}/_mock`, discovery }
    },
  }),
  'DELETE /worlds/:name': call({
    summary: 'Deletes a world',
    params: z.object({ name: z.string().max(100) }),
    refusals: { 404: 'There is no world with this name.' },
    run: async ({ params, server, reply }) => {
      if (await server.worlds.remove(params.name, reply)) return
      throw new Refusal(404, 'There is no world with this name.')
    },
  }),
}

/** Applies scenarios to a world. Throws a Refusal if they can't be combined, or can't be set up here. */
async function apply(world: MockState, chosen: readonly Scenario[]): Promise<void> {
  const conflict = conflictOf(chosen)
  if (conflict !== undefined) throw new Refusal(409, conflict)
  try {
    world.apply(chosen)
    await world.vpn.settled()
  } catch (error) {
    throw new Refusal(409, `This scenario cannot be set up here. ${messageOf(error)}`)
  }
}

function scenarioNamed(wanted: string): Scenario {
  const scenario = scenarios.find(({ name }) => name === wanted)
  if (scenario !== undefined) return scenario
  const similar = similarNames(wanted)
  const hint = similar.length === 0 ? '' : ` Did you mean ${similar.join(', ')}?`
  throw new Refusal(404, `There is no scenario with this name.${hint} GET /_mock/scenarios lists all.`)
}

/** Returns the names that have most words, or beginnings of words, in common with an unknown one. */
function similarNames(wanted: string): string[] {
  const beginnings = wanted
    .toLowerCase()
    .split('-')
    .map((word) => word.slice(0, 5))
    .filter((word) => word.length > 2)
  const common = (name: string) => beginnings.filter((word) => name.includes(word)).length
  return scenarios
    .map(({ name }) => name)
    .filter((name) => common(name) > 0)
    .sort((one, other) => common(other) - common(one))
    .slice(0, 3)
}

/** Serves the certificate of the CA, for devices that can't read a file of this computer. */
export function addAuthority(app: App, caFile: string | undefined): void {
  addRoute(app, 'GET', `${paths.control}/ca.pem`, {
    tags: [tags.control],
    summary: 'Returns the certificate of the CA that clients must trust',
    description: "Over http as well, on the same port: who needs it doesn't trust the mock yet.",
    response: {
      200: answerIn('The certificate.', { 'application/x-pem-file': z.string() }),
      404: errorAnswer('The mock has no CA.'),
    },
    handler: async (_request, reply) => {
      if (caFile === undefined) throw new Refusal(404, 'The mock has no CA. Start it with --tls or --tls-ca.')
      return reply.header('content-type', 'application/x-pem-file').send(await readFile(caFile))
    },
  })
}

export function addEventStream(app: App): void {
  addRoute(app, 'GET', `${paths.control}/events`, {
    tags: [tags.control],
    summary: 'Streams events as Server-Sent Events',
    description:
      'Server-Sent Events: `request` (an entry of the journal, once it has ended), `journal` (it was emptied), `faults` ' +
      '(the active ones), `clock` ({now}) and `scenario` ({name, names}). A client that does not read is disconnected.',
    response: {
      200: answerIn('A stream that lasts until the client disconnects.', { 'text/event-stream': z.string() }),
    },
    handler: (request, reply) => {
      reply.hijack()
      request.world.events.listen(reply.raw)
      return reply
    },
  })
}
