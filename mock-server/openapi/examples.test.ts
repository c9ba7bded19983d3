import type { OpenAPIV3_1 } from 'openapi-types'
import { expect, it } from 'vitest'
import { serveMock } from '../test-server'
import { interfaces, operationsIn } from './openapi'

const { server } = await serveMock({ api: '2,3' })

/** Calls that need OpenVPN servers, TLS, an earlier call, or that never end. */
const exceptions = new Set([
  'delete /_mock/faults/{id}',
  'get /_mock/events',
  'get /_mock/ca.pem',
  'post /_mock/tunnel',
  'put /_mock/network',
  'post /_mock/tunnel/refusals',
])

interface Call {
  name: string
  operation: OpenAPIV3_1.OperationObject
}

/** Returns the calls of a document in its order, with those that delete something at the end. */
function callsOf(document: OpenAPIV3_1.Document): Call[] {
  const calls = [...operationsIn(document)].map(([method, path, operation]) => ({
    name: `${method} ${path}`,
    operation,
  }))
  const deletes = (call: Call) => call.name.startsWith('delete ')
  return [...calls.filter((call) => !deletes(call)), ...calls.filter(deletes)]
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Sends a call with its examples. */
function send({ name, operation }: Call, accessToken: string): Promise<Response> {
  const [method = '', path = ''] = name.split(' ')
  const headers: Record<string, string> =
    operation.security === undefined ? {} : { authorization: `Bearer ${accessToken}` }
  const query = new URLSearchParams()
  let address = path
  for (const parameter of operation.parameters ?? []) {
    if (!('name' in parameter) || parameter.example === undefined) continue
    const { example } = parameter as { example: unknown }
    if (parameter.in === 'path')
      address = address.replace(`{${parameter.name}}`, encodeURIComponent(textOf(example)))
    if (parameter.in === 'header') headers[parameter.name] = textOf(example)
    if (parameter.in === 'query')
      for (const one of [example].flat()) query.append(parameter.name, textOf(one))
  }
  const { requestBody } = operation
  const [[type, media] = []] =
    requestBody !== undefined && 'content' in requestBody ? Object.entries(requestBody.content) : []
  const body: unknown = media?.example
  if (type !== undefined) headers['content-type'] = type
  const form = () => new URLSearchParams(body as Record<string, string>).toString()
  return fetch(`${server.origin}${address}?${query.toString()}`, {
    method: method.toUpperCase(),
    headers,
    redirect: 'manual',
    ...(body === undefined ? {} : { body: type === 'application/json' ? JSON.stringify(body) : form() }),
  })
}

it.each(interfaces)('the calls of %s succeed with the examples of their document', async (name) => {
  await fetch(`${server.control}/reset`, { method: 'POST' })
  const login = await fetch(`${server.control}/tokens`, { method: 'POST' })
  const { accessToken } = (await login.json()) as { accessToken: string }
  const document = (await (
    await fetch(`${server.control}/openapi/${name}.json`)
  ).json()) as OpenAPIV3_1.Document
  const calls = callsOf(document).filter((call) => !exceptions.has(call.name))
  expect(calls.length).toBeGreaterThan(0)
  for (const call of calls) {
    const response = await send(call, accessToken)
    const body = await response.text()
    expect([call.name, response.status < 400 ? 'success' : `${response.status} ${body}`]).toEqual([
      call.name,
      'success',
    ])
  }
})

it('every parameter that a path needs, and every body, has an example', async () => {
  const document = (await (await fetch(`${server.control}/openapi.json`)).json()) as OpenAPIV3_1.Document
  for (const { name, operation } of callsOf(document)) {
    for (const parameter of operation.parameters ?? []) {
      if ('name' in parameter && parameter.in === 'path')
        expect([name, parameter.example]).not.toEqual([name, undefined])
    }
    const { requestBody } = operation
    if (requestBody === undefined || !('content' in requestBody)) continue
    for (const media of Object.values(requestBody.content))
      expect([name, media.example]).not.toEqual([name, undefined])
  }
})
