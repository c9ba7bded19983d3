import { z } from 'zod'
import { sendJson, sendJsonText } from '../http/answer'
import type { App } from '../http/app'
import { tags } from '../openapi/openapi'
import { attachmentSchema } from './attachment'
import { Refusal } from '../http/refusal'
import { errorSchema } from './attachments-error'
import { requireRole, identityHeaders, identityOf, missingIdentity } from './identity'
import {
  attachmentOrUpload,
  createBody,
  idParams,
  listQuery,
  pageSchema,
  patchBody,
  undocumented,
  videoParams,
  videoQuery,
} from './requests'

export { attachmentsErrorArea } from './attachments-error'

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
/** Adds the six endpoints of the attachments document (section 4) below `base`. */
export function addAttachments(app: App, base: string, options: { strictIdentity: boolean }): void {
  const collection = `${base}/attachments/`
  const one = `${base}/attachments/:id`
  const described = (summary: string) => ({ tags: [tags.attachments], summary, headers: identityHeaders })

  addChecks(app, collection, options)
  const list = {
    ...described('Attachments for those who look after them'),
    querystring: listQuery,
    response: { 200: pageSchema, ...refusals },
  }
  const create = {
    ...described('Creates a link, or announces a file that is then uploaded'),
    body: createBody,
    response: {
      200: attachmentOrUpload.describe('Instead of 201, in a variant.'),
      201: attachmentOrUpload,
      ...refusals,
      ...badBody,
    },
  }
  for (const url of [collection, `${base}/attachments`]) {
    const hide = url !== collection
    app.get(url, { schema: { ...list, hide } }, ({ headers, query, world }, reply) => {
      const identity = identityOf(headers, world.attachments.switches.values)
      requireRole(identity, 'CONTRIBUTOR', 'ADMINISTRATOR')
      return sendJsonText(reply, 200, world.attachments.page(identity, query, query))
    })
    app.post(url, { schema: { ...create, hide } }, ({ headers, body, world }, reply) => {
      const identity = identityOf(headers, world.attachments.switches.values)
      requireRole(identity, 'CONTRIBUTOR', 'ADMINISTRATOR')
      const { attachments } = world
      return sendJson(reply, attachments.switches.values.createdStatus, attachments.create(identity, body))
    })
  }

  app.get(
    `${base}/attachments/video/:videoId`,
    {
      schema: {
        ...described('Attachments that are linked to a video'),
        params: videoParams,
        querystring: videoQuery,
        response: { 200: pageSchema, ...refusals, 404: errorSchema('The id is longer than any id.') },
      },
    },
    ({ headers, params, query, world }, reply) => {
      const identity = identityOf(headers, world.attachments.switches.values)
      requireRole(identity, 'MEMBER', 'CONTRIBUTOR', 'ADMINISTRATOR')
      const { page = 1, pageSize = Number.MAX_SAFE_INTEGER } = query
      const found = world.attachments.page(identity, { videos: [params.videoId] }, { page, pageSize })
      return sendJsonText(reply, 200, found)
    },
  )
  app.get(
    one,
    {
      schema: {
        ...described('One attachment, unless its file is still awaited'),
        params: idParams,
        response: { 200: attachmentSchema, ...refusals, ...unknown },
      },
    },
    ({ headers, params, world }, reply) => {
      const identity = identityOf(headers, world.attachments.switches.values)
      requireRole(identity, 'MEMBER', 'CONTRIBUTOR', 'ADMINISTRATOR')
      return sendJson(reply, 200, world.attachments.read(identity, params.id))
    },
  )
  app.patch(
    one,
    {
      schema: {
        ...described('Changes an attachment; with `extension` its file is replaced'),
        params: idParams,
        body: patchBody,
        response: { 200: attachmentOrUpload, ...refusals, ...unknown, ...badBody },
      },
    },
    ({ headers, params, body, world }, reply) => {
      const identity = identityOf(headers, world.attachments.switches.values)
      requireRole(identity, 'CONTRIBUTOR', 'ADMINISTRATOR')
      return sendJson(reply, 200, world.attachments.patch(identity, params.id, body))
    },
  )
  app.delete(
    one,
    {
      schema: {
        ...described('Deletes an attachment and its file'),
        params: idParams,
        response: { 204: z.null().describe('It is gone.'), ...refusals, ...unknown, ...badBody },
      },
    },
    ({ headers, params, world }, reply) => {
      const identity = identityOf(headers, world.attachments.switches.values)
      requireRole(identity, 'CONTRIBUTOR', 'ADMINISTRATOR')
      world.attachments.delete(identity, params.id)
      return reply.code(204).send()
    },
  )
}

/** The filters of lists that are arrays. */
const bracketed = ['videos', 'modules']

function addChecks(app: App, collection: string, options: { strictIdentity: boolean }): void {
  // Identity is checked before the rest of the request.
  app.addHook('preValidation', (request, _reply, done) => {
    done(options.strictIdentity ? missingIdentity(request.headers) : undefined)
  })
  app.addHook('preValidation', (request, _reply, done) => {
    const isList = request.method === 'GET' && request.routeOptions.url !== `${collection}video/:videoId`
    const { bracketFilters, strict } = request.world.attachments.switches.values
    if (bracketFilters && isList) {
      const query = request.query as Record<string, unknown>
      const plain = bracketed.find((name) => name in query)
      if (plain !== undefined) {
        done(new Refusal(400, `${plain}: must be an array, in ${plain}[]`))
        return
      }
      for (const name of bracketed) {
        if (`${name}[]` in query) query[name] = query[`${name}[]`]
        Reflect.deleteProperty(query, `${name}[]`)
      }
    }
    const names = strict ? undocumented(isList, request.query, request.body) : []
    done(
      names.length === 0
        ? undefined
        : new Refusal(400, names.map((name) => `property ${name} should not exist`).join(', ')),
    )
  })
  app.addHook('preHandler', ({ world: { attachments } }, _reply, done) => {
    // The clock may have moved: deliver notifications that are due before answering.
    attachments.storage.uploads.deliverDue()
    done(
      attachments.switches.values.forbidden ? new Refusal(403, 'The service refuses everyone.') : undefined,
    )
  })
}
