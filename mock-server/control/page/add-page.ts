import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { sendJson, sendPage } from '../../http/answer'
import type { App } from '../../http/app'
import type { World } from '../../world'
import { described } from '../replies'
import { summaryOf, summarySchema, type About } from '../summary'
import { clientScript } from './client-script'

const file = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')

const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/**
 * `GET /_mock`: for programs what runs, as JSON; for people a page with everything that can be done. The page is the same
 * for everyone: what it shows it asks for, and inserts as text.
 */
export function addPage(app: App, base: string, world: World, about: About): void {
  const html = file('page.html').replaceAll('{{base}}', base)
  const styleSheet = file('page.css')
  const asset = (reply: Parameters<typeof sendJson>[0], type: string, text: string) =>
    reply
      .header('content-type', `${type}; charset=utf-8`)
      .header('cache-control', 'no-cache')
      .header('x-content-type-options', 'nosniff')
      .send(text)

  const schema = {
    ...described(
      'The state of the mock, or a page to control it',
      'A page for people; JSON for whoever accepts application/json.',
    ),
    response: {
      200: {
        description: 'What runs.',
        content: { 'application/json': { schema: summarySchema }, 'text/html': { schema: z.string() } },
      },
    },
  }
  for (const path of [base, `${base}/`]) {
    app.get(path, { schema: path === base ? schema : { hide: true } }, (request, reply) =>
      /\bapplication\/json\b/i.test(request.headers.accept ?? '')
        ? sendJson(reply, 200, summaryOf(world, about))
        : sendPage(reply, 200, { html, contentSecurityPolicy }),
    )
  }
  app.get(`${base}/page/page.css`, { schema: { hide: true } }, (_request, reply) =>
    asset(reply, 'text/css', styleSheet),
  )
  app.get(`${base}/page/page.js`, { schema: { hide: true } }, async (_request, reply) =>
    asset(
      reply,
      'text/javascript',
      await clientScript(fileURLToPath(new URL('client/main.ts', import.meta.url))),
    ),
  )
}
