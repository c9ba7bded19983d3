import type { OpenAPIV3_1 } from 'openapi-types'
import type { MockState } from '../mock-state'
import { filled } from '../seed/random'
import templates from './examples.json'
import { operationsIn } from './openapi'

/** Values with which calls succeed, by method and path: of their parameters, by name, and of their bodies. */
type Examples = Record<string, { parameters?: Record<string, unknown>; body?: unknown } | undefined>

function fileParameters(address = ''): Record<string, unknown> {
  const url = URL.parse(address)
  if (url === null) return {}
  const [file, attachmentId] = url.pathname.split('/').reverse().map(decodeURIComponent)
  return { attachmentId, file, fileName: '', ...Object.fromEntries(url.searchParams) }
}

/** Returns examples for the current data. Calls that delete have ids that no other call needs. */
export function examplesOf(
  { attachments, content, discovery, vpn }: MockState,
  origin: string,
  port: number,
): Examples {
  const identity = { userId: 'tester', roles: ['ADMINISTRATOR' as const] }
  const newest = attachments.list
    .select({})
    .slice(0, 100)
    .map((attachment) => attachments.entity(attachment, identity))
  const [link, otherLink] = newest.filter(({ type }) => type === 'EXTERNAL')
  const file = newest.find(({ type, status }) => type === 'INTERNAL' && status === 'COMPLETED')
  const contentType = 'text/plain'
  const upload = { method: 'PUT', key: 'examples/upload.txt', contentType, fileName: '' } as const
  const { users, entries, categories } = content.data
  const request = filled(templates['get /oauth/authorize'].parameters, { port }) as Record<string, string>
  return filled(templates, {
    port,
    refreshToken: vpn.exampleRefreshToken(),
    orgId: discovery.organizationIds[0],
    returnTo: `${origin}/oauth/authorize?${new URLSearchParams(request).toString()}`,
    link: link?.id,
    otherLink: otherLink?.id,
    file: file?.id,
    video: file?.videos[0],
    download: fileParameters(file?.url),
    upload: { ...fileParameters(attachments.storage.preSignedUrl(upload)), 'content-type': contentType },
    userId: users[0]?.id,
    entryId: entries[0]?.entry.id,
    entryUrl: entries[0]?.entry.url,
    category: categories[0]?.id,
  }) as Examples
}

export function withExamples(document: OpenAPIV3_1.Document, examples: Examples): OpenAPIV3_1.Document {
  const copy = structuredClone(document)
  for (const [method, path, { parameters = [], requestBody }] of operationsIn(copy)) {
    const example = examples[`${method} ${path}`]
    for (const parameter of parameters) {
      if ('name' in parameter) parameter.example = example?.parameters?.[parameter.name]
    }
    if (example?.body === undefined || requestBody === undefined || !('content' in requestBody)) continue
    for (const media of Object.values(requestBody.content)) {
      media.example = example.body
      // Some programs take the fields of a form from the schema only.
      media.schema = { ...media.schema, example: example.body }
    }
  }
  return copy
}
