import type { IncomingMessage, ServerResponse } from 'node:http'
import { startTestServer } from '../../platform/http/test-server.testing'

/** Behavior that the document leaves open, and faults. */
export interface Behaviour {
  /** Default `number`; `text` has ids above 2^53 as strings. */
  readonly ids?: 'number' | 'text'
  /** Adds two invalid records to the list of users. */
  readonly badRecords?: boolean
  /** Requires the user `root` with the password `secret`, everywhere or only below /api/orgs. */
  readonly basic?: 'everywhere' | 'orgs'
  /** Answers every call with this refusal. */
  readonly refusal?: { readonly status: number; readonly retryAfter?: string }
}

export interface SeenRequest {
  readonly call: string
  readonly body?: unknown
}

export interface DocumentedService {
  readonly origin: string
  /** Returns the requests since the last call. */
  requests(): SeenRequest[]
  become(behaviour: Behaviour): void
}

interface Org {
  readonly id: string
  name: string
  address: Readonly<Record<string, string>>
  users: { readonly id: string; readonly login: string; role: string }[]
}

class Refused extends Error {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message)
    this.status = status
    this.headers = headers
  }
}

const lines = ['address1', 'address2', 'city', 'zipCode', 'state', 'country']

/**
 * Starts an organization service that is written from content-and-organization-apis.md (interface B) alone, as strict as
 * that allows. It requires bodies with all fields of an Org or a UserRole and no others, and adds fields to its answers. It
 * answers a change with 201 and a StatusMessage without ids.
 */
export async function startDocumentedService(first: Behaviour = {}): Promise<DocumentedService> {
  let behaviour = first
  let requests: SeenRequest[] = []
  const isText = first.ids === 'text'
  const id = (small: number): string =>
    isText ? String(9_007_199_254_740_992n + BigInt(small)) : String(small)
  const told = (text: string): string | number => (isText ? text : Number(text))
  const address = {
    address1: 'Main Street 1',
    address2: '',
    city: 'Gent',
    zipCode: '9000',
    state: '',
    country: 'BE',
  }
  const orgs: Org[] = [
    {
      id: id(1),
      name: 'First',
      address,
      users: [
        { id: id(11), login: 'ada', role: 'Admin' },
        { id: id(12), login: 'bo', role: 'Viewer' },
      ],
    },
    { id: id(3), name: 'Third / Ünion', address, users: [{ id: id(11), login: 'ada', role: 'Admin' }] },
  ]
  let lastId = 100

  function orgWith(is: (org: Org) => boolean): Org {
    const found = orgs.find(is)
    if (found === undefined) throw new Refused(404, 'Organization not found')
    return found
  }

  function userOf(org: Org, userId: string): Org['users'][number] {
    const found = org.users.find((user) => user.id === userId)
    if (found === undefined) throw new Refused(404, 'User not found')
    return found
  }

  const shown = (org: Org) => ({
    id: told(org.id),
    name: org.name,
    address: { ...org.address, geo: { lat: 51 } },
    plan: 'gold',
    version: 7,
  })
  const shownUsers = (org: Org): unknown[] => {
    const users = org.users.map((user) => ({
      orgId: told(org.id),
      userId: told(user.id),
      email: `${user.login}@example.org`,
      login: user.login,
      role: user.role,
      labels: ['x'],
    }))
    return behaviour.badRecords === true
      ? [{ orgId: told(org.id), login: 'nobody', role: 'Viewer' }, null, ...users]
      : users
  }

  function answer(method: string, path: string, body: unknown): unknown {
    const parts = path.split('/').slice(2).map(decodeURIComponent)
    const [space, one, ...rest] = parts
    if (space === 'orgs' && one === undefined) {
      if (method !== 'POST') throw new Refused(405, 'Not in the document')
      const { name, address: given } = checkedOrg(body, undefined)
      lastId += 1
      orgs.push({ id: id(lastId), name, address: given, users: [] })
      return { message: 'Organization created' }
    }
    if (space === 'orgs' && one === 'name' && method === 'GET')
      return shown(orgWith(({ name }) => name === rest[0]))
    const [org, below] =
      space === 'orgs'
        ? [orgWith((known) => known.id === one), rest]
        : [orgWith((known) => known.id === id(1)), parts.slice(1)]
    const [kind, userId] = below
    const asked = `${method} ${kind ?? ''}${userId === undefined ? '' : '/:userId'}`
    const changeRole = `${space === 'orgs' ? 'PATCH' : 'POST'} users/:userId`
    switch (asked) {
      case 'GET ':
        return shown(org)
      case 'PUT ': {
        const { name, address: given } = checkedOrg(body, told(org.id))
        Object.assign(org, { name, address: given })
        return { message: 'Organization updated' }
      }
      case 'DELETE ':
        if (space === 'org') break
        orgs.splice(orgs.indexOf(org), 1)
        return {}
      case 'GET users':
        return shownUsers(org)
      case 'POST users': {
        const { loginOrEmail, role } = checkedUserRole(body)
        lastId += 1
        org.users.push({ id: id(lastId), login: loginOrEmail, role })
        return { message: 'User added to organization' }
      }
      case changeRole: {
        const { loginOrEmail, role } = checkedUserRole(body)
        const user = userOf(org, userId ?? '')
        if (user.login !== loginOrEmail) throw new Refused(400, 'loginOrEmail is of another user')
        user.role = role
        return { message: 'Organization user updated' }
      }
      case 'DELETE users/:userId':
        org.users.splice(org.users.indexOf(userOf(org, userId ?? '')), 1)
        return null
    }
    throw new Refused(405, 'Not in the document')
  }

  function demandIdentity(request: IncomingMessage, path: string): void {
    const { basic } = behaviour
    if (basic === undefined || (basic === 'orgs' && !path.startsWith('/api/orgs'))) return
    const expected = `Basic ${Buffer.from('root:secret').toString('base64')}`
    if (request.headers.authorization === expected) return
    throw new Refused(401, 'Unauthorized', { 'www-authenticate': 'Basic realm="organizations"' })
  }

  function handle(request: IncomingMessage, response: ServerResponse, text: string): void {
    const { method = '', url: path = '' } = request
    const body: unknown = text === '' ? undefined : JSON.parse(text)
    requests.push({ call: `${method} ${path}`, ...(body === undefined ? {} : { body }) })
    try {
      const { refusal } = behaviour
      if (refusal !== undefined) {
        const { status, retryAfter } = refusal
        throw new Refused(status, 'Not now', retryAfter === undefined ? {} : { 'retry-after': retryAfter })
      }
      demandIdentity(request, path)
      const answered = answer(method, path, body)
      response.writeHead(method === 'GET' ? 200 : 201, { 'content-type': 'application/json' })
      response.end(answered === null ? '' : JSON.stringify(answered))
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      response.writeHead(error.status, { 'content-type': 'application/json', ...error.headers })
      response.end(JSON.stringify({ message: error.message }))
    }
  }

  const { origin } = await startTestServer((request, response) => {
    let text = ''
    request.setEncoding('utf8')
    request.on('data', (part: string) => (text += part))
    request.on('end', () => {
      handle(request, response, text)
    })
  })
  return {
    origin,
    requests: () => requests.splice(0),
    become: (other) => {
      behaviour = other
      requests = []
    },
  }
}

/** Checks an Org: all fields, no others; its id, if given, must match the path. */
function checkedOrg(
  body: unknown,
  id: string | number | undefined,
): { readonly name: string; readonly address: Readonly<Record<string, string>> } {
  const { name, address, ...rest } = fieldsOf(body, 'Org')
  const { id: given, ...unknown } = rest
  if (id !== undefined && given !== undefined && given !== id) throw new Refused(400, 'Org: another id')
  if (Object.keys(unknown).length > 0)
    throw new Refused(400, `Org: unknown ${Object.keys(unknown).join(', ')}`)
  if (typeof name !== 'string' || name === '') throw new Refused(400, 'Org: no name')
  const whole = fieldsOf(address, 'Org: address')
  const texts = Object.entries(whole)
  const isWhole =
    texts.length === lines.length &&
    texts.every(([line, text]) => lines.includes(line) && typeof text === 'string')
  if (!isWhole) throw new Refused(400, `Org: address is ${JSON.stringify(whole)}`)
  return { name, address: whole as Record<string, string> }
}

function checkedUserRole(body: unknown): { readonly loginOrEmail: string; readonly role: string } {
  const { loginOrEmail, role, ...unknown } = fieldsOf(body, 'UserRole')
  if (Object.keys(unknown).length > 0)
    throw new Refused(400, `UserRole: unknown ${Object.keys(unknown).join(', ')}`)
  if (typeof loginOrEmail !== 'string' || typeof role !== 'string')
    throw new Refused(400, 'UserRole: not whole')
  return { loginOrEmail, role }
}

function fieldsOf(body: unknown, what: string): Record<string, unknown> {
  if (typeof body === 'object' && body !== null) return body as Record<string, unknown>
  throw new Refused(400, `${what} is missing`)
}
