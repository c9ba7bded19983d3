import { isUtf8 } from 'node:buffer'
import type { FastifyRequest } from 'fastify'
import type { App } from './app'
import { Refusal } from './refusal'

const texts = new WeakMap<FastifyRequest, string>()

/** Parses bodies of this app as JSON; an empty one is undefined. Refuses other types with 415, unless all count as JSON. */
export function takeJson(app: App, ofAnyType = false): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    ofAnyType ? '*' : 'application/json',
    { parseAs: 'buffer' },
    (request, body, done) => {
      const text = body.toString()
      texts.set(request, text)
      if (text.trim() === '') done(null, undefined)
      else if (typeof body !== 'string' && !isUtf8(body)) done(new Refusal(400, 'The body is not UTF-8.'))
      else
        void parse(request, text, (error, json) => {
          done(error === null ? null : new Refusal(400, 'The body is not JSON.'), json)
        })
    },
  )
  if (ofAnyType) return
  app.addContentTypeParser('*', { parseAs: 'string' }, (request, body, done) => {
    const text = body.toString()
    texts.set(request, text)
    if (text === '') done(null, undefined)
    else done(new Refusal(415, 'The body must be application/json.'))
  })
}

/** Returns the body of a request as it arrived; undefined if there is none or it was not kept, as with files. */
export function bodyText(request: FastifyRequest): string | undefined {
  return typeof request.body === 'string' ? request.body : texts.get(request)
}
