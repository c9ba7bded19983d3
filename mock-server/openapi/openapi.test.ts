import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, it } from 'vitest'
import { serveMock } from '../test-server'
import { interfaces, tags, withOperationIds } from './openapi'

interface Operation {
  operationId: string
  summary: string
  tags: string[]
  responses: Record<string, unknown>
}
interface Document {
  openapi: string
  servers: { url: string }[]
  paths: Record<string, Record<string, Operation>>
}

const { server } = await serveMock()

async function documentAt(path: string): Promise<Document> {
  return (await (await fetch(`${server.control}${path}`)).json()) as Document
}
const operationsOf = ({ paths }: Document) => Object.values(paths).flatMap((item) => Object.values(item))

describe.each(['/openapi.json', ...interfaces.map((name) => `/openapi/${name}.json`)])('%s', (path) => {
  it('is valid OpenAPI 3.1 with this mock as its server', async () => {
    const document = await documentAt(path)
    expect(document).toMatchObject({ openapi: '3.1.0', servers: [{ url: server.origin }] })
    const { valid, errors } = await new Validator().validate({ ...document })
    expect(errors).toBeUndefined()
    expect(valid).toBe(true)
  })

  it('has operations with unique names, a summary and described answers', async () => {
    const operations = operationsOf(await documentAt(path))
    expect(operations.length).toBeGreaterThan(0)
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length)
    for (const { operationId, summary, responses } of operations) {
      expect(summary, operationId).toMatch(/\w{3}/)
      expect(Object.keys(responses), operationId).not.toEqual([])
      expect(JSON.stringify(responses), operationId).not.toContain('Default Response')
    }
  })
})

it('contains each operation in the whole document and in that of exactly one interface', async () => {
  const all = operationsOf(await documentAt('/openapi.json')).map(({ operationId }) => operationId)
  const parts = await Promise.all(
    interfaces.map(async (name) => {
      const operations = operationsOf(await documentAt(`/openapi/${name}.json`))
      for (const operation of operations) expect(operation.tags).toEqual([tags[name]])
      return operations.map(({ operationId }) => operationId)
    }),
  )
  expect(parts.flat().sort()).toEqual(all.sort())
})

it('serves a page to try the calls, with all its files and without foreign scripts', async () => {
  const page = await fetch(`${server.control}/api/`)
  expect(page.status).toBe(200)
  expect(page.headers.get('content-security-policy')).toContain("script-src 'self'")
  const needed = [...(await page.text()).matchAll(/(?:src|href)="([^"]+)"/g)].map(
    ([, address]) => address ?? '',
  )
  expect(needed.length).toBeGreaterThan(3)
  for (const address of needed) {
    expect((await fetch(new URL(address, `${server.control}/api/`))).status, address).toBe(200)
  }
})

it('names its schemas, without those that it does not use', async () => {
  const text = await (await fetch(`${server.control}/openapi/content.json`)).text()
  const { components } = JSON.parse(text) as { components: { schemas: object } }
  const names = Object.keys(components.schemas)
  expect(names).toEqual(expect.arrayContaining(['Entry', 'WholeEntry', 'Tweet', 'NewsItem']))
  expect(names).not.toContain('Attachment')
  for (const name of names) expect(text).toContain(`"#/components/schemas/${name}"`)
})

it('describes a list of attachments as an object with data, not as a union', async () => {
  const { paths, components } = (await documentAt('/openapi/attachments.json')) as unknown as {
    paths: Record<string, { get: { operationId: string; responses: Record<string, object> } }>
    components: { schemas: Record<string, object> }
  }
  const list = paths['/v2.0.0/attachments/']?.get
  expect(list?.operationId).toBe('getAttachments')
  expect(JSON.stringify(list?.responses['200'])).toContain('AttachmentPage')
  expect(components.schemas.AttachmentPage).toMatchObject({
    type: 'object',
    required: ['data', 'totalCount'],
  })
})

it('names operations uniquely by method and path', () => {
  const responses = {}
  const item = { get: { responses }, put: { operationId: 'kept', responses } }
  const { paths } = withOperationIds({
    paths: { '/v2.0/files/{id}': item, '/a-b': { get: { responses } }, '/aB': { get: { responses } } },
  })
  expect(paths).toMatchObject({
    '/v2.0/files/{id}': { get: { operationId: 'getFilesById' }, put: { operationId: 'kept' } },
    '/a-b': { get: { operationId: 'getAB' } },
    '/aB': { get: { operationId: 'getAB2' } },
  })
})

it('has nothing that generators of clients stumble over', async () => {
  const text = await (await fetch(`${server.control}/openapi.json`)).text()
  const document = JSON.parse(text) as {
    paths: Record<string, { post?: { parameters?: unknown[] } }>
    components: {
      schemas: Record<string, { properties: Record<string, { anyOf?: unknown }>; required: string[] }>
    }
  }
  expect(text).not.toMatch(/"default":(?:\{\}|null)/)
  expect(text).not.toMatch(/"const":(?!")/)
  expect(text).not.toContain('\\\\p{')
  expect(text).not.toMatch(/"maximum":9007199254740991(?![^{}]*"format":"int64")/)
  // A generator for Kotlin writes enums of booleans and of other numbers as texts; one for Go takes a nullable object for a required one.
  expect(text).not.toMatch(/"enum":\[(?:true|false)\]/)
  expect(text).not.toMatch(/"type":"number","enum"/)
  expect(text).not.toContain('"type":["object","null"]')
  expect(text).toContain('"type":["string","null"]')
  // One for Java reads a required object even where it is null.
  const { Entry } = document.components.schemas
  expect(Entry?.properties.cover?.anyOf).toContainEqual({ type: 'null' })
  expect(Entry?.required).toContain('intro')
  expect(Entry?.required).not.toContain('cover')
  // One for Python checks patterns of UUIDs and times as texts; one for Java writes no class for a text or texts.
  expect(text).not.toMatch(/"format":"[\w-]+","pattern"|"pattern":"[^"]*","format"/)
  expect(text).toMatch(/"x-anyOf":\[\{"type":"string"/)
  expect(text).not.toMatch(/"anyOf":\[\{"type":"string"[^{}]*\},\{"type":"object","propertyNames"/)
  const parameters = document.paths['/v2.0.0/attachments/']?.post?.parameters
  expect(parameters).toContainEqual(
    expect.objectContaining({
      name: 'x-user-roles',
      schema: expect.objectContaining({
        type: 'string',
        pattern: expect.stringContaining('(,(') as unknown,
      }) as unknown,
    }),
  )
})
