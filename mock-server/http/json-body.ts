import { isUtf8 } from 'node:buffer'
import type { FastifyRequest } from 'fastify'
import type { App } from './app'
import { Refusal } from './refusal'

const texts = new WeakMap<FastifyRequest, string>()

function acceptJson(app: App, contentType: string): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser(contentType, { parseAs: 'buffer' }, (request, body, done) => {
    const text = body.toString()
    texts.set(request, text)
    if (text.trim() === '') {
      done(null, undefined)
      return
    }
    if (typeof body !== 'string' && !isUtf8(body)) {
      done(new Refusal(400, 'The body is not UTF-8.'))
      return
    }
    void parse(request, text, (error, json) => {
      done(error === null ? null : new Refusal(400, 'The body is not JSON.'), json)
    })
  })
}

/** Parses all bodies of this app as JSON, whatever their type. An empty one is undefined. */
export function takeAnyAsJson(app: App): void {
  app.removeAllContentTypeParsers()
  acceptJson(app, '*')
}

/** Parses bodies of this app as JSON and refuses other types with 415. An empty one is undefined. */
export function takeJson(app: App): void {
  app.removeAllContentTypeParsers()
  acceptJson(app, 'application/json')
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
