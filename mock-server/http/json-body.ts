import type { FastifyError, FastifyRequest } from 'fastify'
import type { App } from './app'

const texts = new WeakMap<FastifyRequest, string>()

function failure(statusCode: number, message: string): FastifyError {
  return Object.assign(new Error(message), { name: 'BodyError', code: 'MOCK_BODY', statusCode })
}

function acceptJson(app: App, contentType: string): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser(contentType, { parseAs: 'string' }, (request, body, done) => {
    const text = body.toString()
    texts.set(request, text)
    if (text.trim() === '') {
      done(null, undefined)
      return
    }
    void parse(request, text, (error, json) => {
      done(error === null ? null : failure(400, 'The body is not JSON.'), json)
    })
  })
}

/** From here on bodies are JSON, whatever type they name. An empty one is undefined. */
export function takeAnyAsJson(app: App): void {
  app.removeAllContentTypeParsers()
  acceptJson(app, '*')
}

/** From here on bodies are JSON and say so; another type is 415. An empty one is undefined. */
export function takeJson(app: App): void {
  app.removeAllContentTypeParsers()
  acceptJson(app, 'application/json')
  app.addContentTypeParser('*', { parseAs: 'string' }, (request, body, done) => {
    const text = body.toString()
    texts.set(request, text)
    if (text === '') done(null, undefined)
    else done(failure(415, 'The body must be application/json.'))
  })
}

/** The body of a request as it arrived, or undefined without one (or one that was not kept, such as a file). */
export function bodyText(request: FastifyRequest): string | undefined {
  return typeof request.body === 'string' ? request.body : texts.get(request)
}
