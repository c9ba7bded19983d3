import { STATUS_CODES } from 'node:http'
import { z } from 'zod'
import { sendJson, sendJsonText } from '../http/answer'
import { addRoute, type App, type ErrorArea } from '../http/app'
import { takeJson } from '../http/json-body'
import { Refusal } from '../http/refusal'
import type { MockState } from '../mock-state'
import { tags } from '../openapi/openapi'
import { paths } from '../paths'
import {
  attachmentOrUpload,
  attachmentSchema,
  createBody,
  idParams,
  listQuery,
  pageSchema,
  patchBody,
  undocumented,
  videoParams,
  videoQuery,
} from './attachment'
import {
  type Identity,
  identityHeaders,
  identityOf,
  requireIdentity,
  requireRole,
  type Role,
} from './identity'

/** Error answers of this service, `{statusCode, message, error}` (field notes), at paths of any version. */
export const attachmentsErrorArea: ErrorArea = {
  holds: (path) => /^\/v\d[^/]*(?:\/|$)/.test(path),
  send: (_request, reply, statusCode, message) =>
    sendJson(reply, statusCode, { statusCode, message, error: STATUS_CODES[statusCode] ?? 'Error' }),
}

const errorSchema = (when: string) =>
  z.object({ statusCode: z.int(), message: z.string(), error: z.string() }).describe(when)
const refusals = {
  400: errorSchema('The input is not valid; the message names the field.'),
  401: errorSchema('The identity headers are missing, and --strict-identity requires them.'),
  403: errorSchema('The caller lacks the role, or is neither owner nor administrator.'),
}
const unknown = { 404: errorSchema('There is no such attachment, or its file has not arrived yet.') }
const badBody = {
  413: errorSchema('The body is larger than a megabyte.'),
  415: errorSchema('The body is not application/json.'),
}

const editors: Role[] = ['CONTRIBUTOR', 'ADMINISTRATOR']
const readers: Role[] = ['MEMBER', ...editors]

/** Returns the caller. Throws a Refusal with 403 unless it has one of these roles. */
function callerOf(
  { headers, world }: { headers: z.infer<typeof identityHeaders>; world: MockState },
  roles: Role[],
): Identity {
  const identity = identityOf(headers, world.attachments.switches.values)
  requireRole(identity, ...roles)
  return identity
}

const collection = `${paths.attachments}/attachments/`
const one = `${collection}:id`

export function addAttachments(app: App, strictIdentity: boolean): void {
  const described = (summary: string) => ({ tags: [tags.attachments], summary, headers: identityHeaders })

  takeJson(app)
  addChecks(app, strictIdentity)
  for (const url of [collection, collection.slice(0, -1)]) {
    const hide = url !== collection
    addRoute(app, 'GET', url, {
      ...described('Attachments for those who look after them'),
      hide,
      querystring: listQuery,
      response: { 200: pageSchema, ...refusals },
      handler: (request, reply) => {
        const { query, world } = request
        return sendJsonText(reply, 200, world.attachments.page(callerOf(request, editors), query, query))
      },
    })
    addRoute(app, 'POST', url, {
      ...described('Creates a link, or announces a file that is then uploaded'),
      hide,
      body: createBody,
      response: {
        200: attachmentOrUpload.describe('Instead of 201, in a variant.'),
        201: attachmentOrUpload,
        ...refusals,
        ...badBody,
      },
      handler: (request, reply) => {
        const { attachments } = request.world
        const created = attachments.create(callerOf(request, editors), request.body)
        return sendJson(reply, attachments.switches.values.createdStatus, created)
      },
    })
  }
  addRoute(app, 'GET', `${collection}video/:videoId`, {
    ...described('Attachments that are linked to a video'),
    params: videoParams,
    querystring: videoQuery,
    response: { 200: pageSchema, ...refusals, 404: errorSchema('The id is longer than any id.') },
    handler: (request, reply) => {
      const { page = 1, pageSize = Number.MAX_SAFE_INTEGER } = request.query
      const filter = { videos: [request.params.videoId] }
      const { attachments } = request.world
      return sendJsonText(
        reply,
        200,
        attachments.page(callerOf(request, readers), filter, { page, pageSize }),
      )
    },
  })
  addRoute(app, 'GET', one, {
    ...described('One attachment, unless its file is still awaited'),
    params: idParams,
    response: { 200: attachmentSchema, ...refusals, ...unknown },
    handler: (request, reply) =>
      sendJson(reply, 200, request.world.attachments.read(callerOf(request, readers), request.params.id)),
  })
  addRoute(app, 'PATCH', one, {
    ...described('Changes an attachment; with `extension` its file is replaced'),
    params: idParams,
    body: patchBody,
    response: { 200: attachmentOrUpload, ...refusals, ...unknown, ...badBody },
    handler: (request, reply) => {
      const { params, body, world } = request
      return sendJson(reply, 200, world.attachments.patch(callerOf(request, editors), params.id, body))
    },
  })
  addRoute(app, 'DELETE', one, {
    ...described('Deletes an attachment and its file'),
    params: idParams,
    response: { 204: z.null().describe('It is gone.'), ...refusals, ...unknown, ...badBody },
    handler: (request, reply) => {
      request.world.attachments.delete(callerOf(request, editors), request.params.id)
      return reply.code(204).send()
    },
  })
}

const bracketed = ['videos', 'modules']

function addChecks(app: App, strictIdentity: boolean): void {
  // The router takes the collection for an attachment with an empty id.
  app.addHook('onRequest', (request, reply, done) => {
    if (Object.values(request.params as Record<string, string>).includes('')) reply.callNotFound()
    else done()
  })
  app.addHook('preValidation', (request, _reply, done) => {
    // Identity is checked before the rest of the request.
    if (strictIdentity) requireIdentity(request.headers)
    const isList = request.method === 'GET' && request.routeOptions.url !== `${collection}video/:videoId`
    const { bracketFilters, strict } = request.world.attachments.switches.values
    if (bracketFilters && isList) {
      const query = request.query as Record<string, unknown>
      const plain = bracketed.find((name) => name in query)
      if (plain !== undefined) throw new Refusal(400, `${plain}: must be an array, in ${plain}[]`)
      for (const name of bracketed) {
        if (`${name}[]` in query) query[name] = query[`${name}[]`]
        Reflect.deleteProperty(query, `${name}[]`)
      }
    }
    const names = strict ? undocumented(isList, request.query, request.body) : []
    if (names.length > 0)
      throw new Refusal(400, names.map((name) => `property ${name} should not exist`).join(', '))
    done()
  })
  app.addHook('preHandler', ({ world: { attachments } }, _reply, done) => {
    // The clock may have moved: deliver notifications that are due before answering.
    attachments.storage.uploads.deliverDue()
    if (attachments.switches.values.forbidden) throw new Refusal(403, 'The service refuses everyone.')
    done()
  })
}
