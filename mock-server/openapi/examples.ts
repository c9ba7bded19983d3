import type { OpenAPIV3_1 } from 'openapi-types'
import type { MockState } from '../mock-state'
import { callbackPath } from '../vpn/authorize'
import fixedExamples from './examples.json'
import { operationsIn } from './openapi'

/** Values with which a call succeeds: of its parameters, by name, and of its body. */
interface Example {
  parameters?: Record<string, unknown>
  body?: unknown
}

type Examples = Record<string, Example>

const administrator = { 'x-user-roles': 'CONTRIBUTOR,ADMINISTRATOR', 'x-user-id': 'tester' }
/** The code challenge of RFC 7636, appendix B. */
const codeChallenge = 'E9Melhoa2OwvFrEMTJGuCHaoeK1t8URWbuGJSstw-cM'

/** Returns an authorization request whose redirect goes to the mock itself. */
function authorizationRequest(port: number) {
  return {
    client_id: 'org.causeway.app.linux',
    redirect_uri: `http://127.0.0.1:${port}${callbackPath}`,
    response_type: 'code',
    scope: 'config',
    state: 'a-random-state',
    code_challenge_method: 'S256',
    code_challenge: codeChallenge,
  }
}

function vpnExamples(mockState: MockState, port: number): Examples {
  const authorization = authorizationRequest(port)
  return {
    'get /oauth/authorize': { parameters: authorization },
    'post /oauth/authorize': { parameters: authorization, body: { decision: 'approve', user: 'tester' } },
    'post /oauth/token': {
      body: { grant_type: 'refresh_token', refresh_token: mockState.vpn.exampleRefreshToken() },
    },
    'post /api/vpn/create_keypair': { body: { display_name: 'My computer' } },
    'get /api/vpn/check_certificate': { parameters: { common_name: '0123456789abcdef0123456789abcdef' } },
    'get /api/vpn/profile_config': { parameters: { profile_id: 'internet', remote_strategy: '2' } },
    'post /api/v3/connect': { body: { profile_id: 'internet', prefer_tcp: 'no' } },
  }
}

function discoveryExamples(mockState: MockState, origin: string, port: number): Examples {
  const [orgId] = mockState.discovery.organizationIds
  const query = new URLSearchParams(authorizationRequest(port)).toString()
  const returnTo = `${origin}/oauth/authorize?${query}`
  return { 'get /discovery/skip-wayf': { parameters: { returnTo, orgId } } }
}

function attachmentsExamples({ attachments }: MockState): Examples {
  const identity = { userId: 'tester', roles: ['ADMINISTRATOR' as const] }
  const data = attachments.list
    .select({})
    .slice(0, 100)
    .map((attachment) => attachments.entity(attachment, identity))
  const links = data.filter(({ type }) => type === 'EXTERNAL')
  const files = data.filter(({ type, status }) => type === 'INTERNAL' && status === 'COMPLETED')
  const [file] = files
  const video = file?.videos[0]
  const list = {
    pageSize: 10,
    page: 1,
    userId: 'tester',
    videos: ['video-1', 'video-2'],
    modules: ['module-1', 'module-2'],
  }
  const upload = {
    method: 'PUT',
    key: 'examples/upload.txt',
    contentType: 'text/plain',
    fileName: '',
  } as const
  return {
    'get /v2.0.0/attachments/': { parameters: { ...list, ...administrator } },
    'post /v2.0.0/attachments/': {
      parameters: administrator,
      body: { type: 'EXTERNAL', title: 'Reading list', url: 'https://www.example.org/reading' },
    },
    'get /v2.0.0/attachments/video/{videoId}': {
      parameters: { videoId: video, pageSize: 10, page: 1, ...administrator },
    },
    'get /v2.0.0/attachments/{id}': { parameters: { id: file?.id, ...administrator } },
    'patch /v2.0.0/attachments/{id}': {
      parameters: { id: links[0]?.id, ...administrator },
      body: { title: 'A new title' },
    },
    'delete /v2.0.0/attachments/{id}': { parameters: { id: links[1]?.id, ...administrator } },
    'get /storage/{attachmentId}/{file}': { parameters: fileParameters(file?.url) },
    'put /storage/{attachmentId}/{file}': {
      parameters: {
        ...fileParameters(attachments.storage.preSignedUrl(upload)),
        'content-type': 'text/plain',
      },
    },
  }
}

function fileParameters(address = ''): Record<string, unknown> {
  const url = URL.parse(address)
  if (url === null) return {}
  const [file, attachmentId] = url.pathname.split('/').reverse().map(decodeURIComponent)
  return { attachmentId, file, fileName: '', ...Object.fromEntries(url.searchParams) }
}

function contentExamples({ content }: MockState): Examples {
  const { data } = content
  const entry = data.entries[0]?.entry
  const page = { count: 10, offset: 0 }
  const [category] = data.categories
  const userId = data.users[0]?.id
  return {
    'get /2.3/account/info': { parameters: { userId } },
    'get /2.3/account/posts': { parameters: { userId, ...page } },
    'get /2.3/club': { parameters: { ...page, type: 0, sortMode: 'recent' } },
    'get /2.3/club/item': { parameters: { entryId: entry?.id } },
    'get /2.3/search': { parameters: { q: '#vpn', ...page, type: 1 } },
    'get /2.3/content/reveal': { parameters: { url: entry?.url } },
    'get /2.3/tweets': { parameters: { ...page, listId: 1, interval: 'fresh' } },
    'get /2.3/news': { parameters: { count: 10, listId: category?.id, interval: 'popular' } },
    'get /2.3/news/lists': { parameters: { listId: 0, showSources: 1 } },
    'post /2.3/misprints/new': { body: { text: 'teh', url: entry?.url } },
  }
}

/** Returns examples for the current data, for a client that calls the mock at `origin` on this port. */
export function examplesOf(mockState: MockState, origin: string, port: number): Examples {
  return {
    ...vpnExamples(mockState, port),
    ...discoveryExamples(mockState, origin, port),
    ...attachmentsExamples(mockState),
    ...contentExamples(mockState),
    // With ids of the seed, and other ones for calls that delete, so that the calls work in any order.
    ...fixedExamples,
  }
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
