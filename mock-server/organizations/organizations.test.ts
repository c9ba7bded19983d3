import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { TestOrganizations } from './organizations.testing'

let mock: TestOrganizations
beforeAll(async () => {
  mock = await TestOrganizations.start()
})
afterAll(() => mock.close())
beforeEach(() => mock.reset())

const address = {
  address1: 'Hauptstraße 1',
  address2: 'Hof',
  city: 'Köln',
  zipCode: '50667',
  state: 'NRW',
  country: 'Deutschland',
}
const noAddress = { address1: '', address2: '', city: '', zipCode: '', state: '', country: '' }
const notFound = [404, { message: 'Organization not found' }]
const nameTaken = [409, { message: 'Organization name taken' }]

describe('POST /api/orgs', () => {
  it('creates an organization with the next id and the caller as its only administrator', async () => {
    expect(await mock.answer('POST', '/api/orgs', { name: 'New', address })).toEqual([
      200,
      { orgId: 3, message: 'Organization created' },
    ])
    expect(await mock.answer('GET', '/api/orgs/3')).toEqual([200, { id: 3, name: 'New', address }])
    expect(await mock.roles('/api/orgs/3')).toEqual({ 1: 'Admin' })
    expect(await mock.create('Newer')).toBe(4)
  })

  it('never reuses the id of a deleted organization', async () => {
    await mock.create('Short-lived')
    await mock.call('DELETE', '/api/orgs/3')
    expect(await mock.create('Next')).toBe(4)
  })

  it('trims the name, and accepts a partial address', async () => {
    await mock.call('POST', '/api/orgs', {
      name: '  Trimmed \n',
      address: { city: 'Gent' },
      id: 99,
      plan: 'x',
    })
    expect(await mock.answer('GET', '/api/orgs/3')).toEqual([
      200,
      { id: 3, name: 'Trimmed', address: { ...noAddress, city: 'Gent' } },
    ])
  })

  it('refuses the exact name of another organization', async () => {
    expect(await mock.answer('POST', '/api/orgs', { name: 'Mock University' })).toEqual(nameTaken)
    expect(await mock.create('mock university')).toBe(3)
  })

  it.each([
    [{}, 'name: must be a text of 1 to 190 characters, without control characters'],
    [{ name: '' }, 'name: must be a text of 1 to 190 characters, without control characters'],
    [{ name: ' \t ' }, 'name: must be a text of 1 to 190 characters, without control characters'],
    [{ name: 'a'.repeat(191) }, 'name: must be a text of 1 to 190 characters, without control characters'],
    [{ name: 'a\u0000b' }, 'name: must be a text of 1 to 190 characters, without control characters'],
    ['{"name": "a\\ud800"}', 'name: must be a text of 1 to 190 characters, without control characters'],
    [{ name: 7 }, 'name: must be a text of 1 to 190 characters, without control characters'],
    [{ name: 'a', address: 'b' }, 'address: must be an object'],
    [{ name: 'a', address: { city: 5 } }, 'address.city: must be a text of at most 255 characters'],
    [
      { name: 'a', address: { state: 'a'.repeat(256) } },
      'address.state: must be a text of at most 255 characters',
    ],
    [[], 'the body: must be an object with a name'],
    ['null', 'the body: must be an object with a name'],
    ['', 'the body: must be an object with a name'],
    ['{"name": ', 'The body is not JSON.'],
    ['{"name": "a", "__proto__": {}}', 'The body is not JSON.'],
  ])('refuses %j', async (body, message) => {
    expect(await mock.answer('POST', '/api/orgs', body)).toEqual([400, { message }])
    expect(await mock.create('Free')).toBe(3)
  })

  it('accepts a name and address lines of the maximum length', async () => {
    const name = '研'.repeat(190)
    const longest = { ...address, address1: 'a'.repeat(255) }
    await mock.call('POST', '/api/orgs', { name, address: longest })
    expect(await mock.answer('GET', `/api/orgs/name/${encodeURIComponent(name)}`)).toEqual([
      200,
      { id: 3, name, address: longest },
    ])
  })
})

describe('GET /api/org', () => {
  it('returns the current organization without its address', async () => {
    expect(await mock.answer('GET', '/api/org')).toEqual([200, { id: 1, name: 'Mock University' }])
  })
})

describe('GET /api/orgs/:orgId', () => {
  it('returns an organization with its address', async () => {
    expect(await mock.answer('GET', '/api/orgs/2')).toEqual([
      200,
      {
        id: 2,
        name: 'Forschungsnetz Süd / 研究室',
        address: { ...noAddress, city: 'München', country: 'Deutschland' },
      },
    ])
  })

  it.each(['0', '3', '9007199254740991'])('answers 404 to the unknown id %s', async (id) => {
    expect(await mock.answer('GET', `/api/orgs/${id}`)).toEqual(notFound)
  })

  it.each(['-1', '1.0', '1e0', '0x1', 'abc', '%20', '9007199254740992', '1%00', '9'.repeat(90)])(
    'answers 400 to %s, which is not a valid id',
    async (id) => {
      expect(await mock.answer('GET', `/api/orgs/${id}`)).toEqual([
        400,
        { message: 'orgId: must be a whole number from 0 to 9007199254740991' },
      ])
    },
  )
})

describe('GET /api/orgs/name/:orgName', () => {
  it('finds a name with spaces, slashes and letters of any script', async () => {
    const path = `/api/orgs/name/${encodeURIComponent('Forschungsnetz Süd / 研究室')}`
    expect(await mock.answer('GET', path)).toEqual([200, expect.objectContaining({ id: 2 })])
  })

  it('finds a name that looks like an id or a path', async () => {
    for (const name of ['1', '../../info.json', '%2F', '?a=b#c', "'; drop", 'users']) {
      const id = await mock.create(name)
      expect(await mock.answer('GET', `/api/orgs/name/${encodeURIComponent(name)}`)).toEqual([
        200,
        { id, name, address: noAddress },
      ])
    }
  })

  it.each(['Mock', 'mock university', 'Mock%20University%20', '__proto__', '', 'a'.repeat(10_000)])(
    'answers 404 to unknown name number %#',
    async (name) => {
      expect(await mock.answer('GET', `/api/orgs/name/${name}`)).toEqual(notFound)
    },
  )
})

describe.each([
  ['PUT /api/org', '/api/org'],
  ['PUT /api/orgs/:orgId', '/api/orgs/1'],
])('%s', (_name, path) => {
  const updated = [200, { message: 'Organization updated' }]

  it('renames the organization and replaces its whole address', async () => {
    expect(await mock.answer('PUT', path, { name: 'Renamed', address: { city: 'Gent' } })).toEqual(updated)
    expect(await mock.answer('GET', '/api/orgs/1')).toEqual([
      200,
      { id: 1, name: 'Renamed', address: { ...noAddress, city: 'Gent' } },
    ])
    expect(await mock.roles('/api/orgs/1')).toMatchObject({ 1: 'Admin', 3: 'Editor', 4: 'Viewer' })
  })

  it('keeps the address when none is sent, and accepts the current name', async () => {
    const before = await mock.answer('GET', '/api/orgs/1')
    expect(await mock.answer('PUT', path, { name: 'Mock University' })).toEqual(updated)
    expect(await mock.answer('GET', '/api/orgs/1')).toEqual(before)
  })

  it('refuses the name of another organization, and a body without a name', async () => {
    expect(await mock.answer('PUT', path, { name: 'Forschungsnetz Süd / 研究室' })).toEqual(nameTaken)
    expect(await mock.answer('PUT', path, { address })).toEqual([
      400,
      { message: 'name: must be a text of 1 to 190 characters, without control characters' },
    ])
    expect(await mock.answer('GET', '/api/org')).toEqual([200, { id: 1, name: 'Mock University' }])
  })
})

it('PUT /api/orgs/:orgId answers 404 to an unknown organization and 400 to an invalid id', async () => {
  expect(await mock.answer('PUT', '/api/orgs/77', { name: 'Mock University' })).toEqual(notFound)
  expect((await mock.call('PUT', '/api/orgs/x', { name: 'a' })).status).toBe(400)
})

describe('DELETE /api/orgs/:orgId', () => {
  it('deletes an organization with its users, and frees its name', async () => {
    expect(await mock.answer('DELETE', '/api/orgs/2')).toEqual([200, { message: 'Organization deleted' }])
    expect(await mock.answer('GET', '/api/orgs/2')).toEqual(notFound)
    expect(await mock.answer('GET', '/api/orgs/2/users')).toEqual(notFound)
    expect(await mock.create('Forschungsnetz Süd / 研究室')).toBe(3)
  })

  it('accepts a content type without a body, as some clients send it', async () => {
    const headers = { 'content-type': 'application/json' }
    expect((await mock.call('DELETE', '/api/orgs/2', undefined, headers)).status).toBe(200)
  })

  it('answers 404 to an unknown organization and 400 to an invalid id', async () => {
    expect(await mock.answer('DELETE', '/api/orgs/77')).toEqual(notFound)
    expect((await mock.call('DELETE', '/api/orgs/-2')).status).toBe(400)
  })

  it('refuses to delete the current organization', async () => {
    expect(await mock.answer('DELETE', '/api/orgs/1')).toEqual([
      400,
      { message: 'Can not delete org for current user' },
    ])
    expect(await mock.answer('GET', '/api/org')).toEqual([200, { id: 1, name: 'Mock University' }])
  })
})

describe('every call', () => {
  it('answers an unknown path with 404 and a wrong method with 405, in the error format of the interface', async () => {
    expect(await mock.answer('GET', '/api/org/preferences')).toEqual([404, { message: 'Not Found' }])
    expect(await mock.answer('GET', '/api/orgs/1/users/1/2')).toEqual([404, { message: 'Not Found' }])
    const { status, body, headers } = await mock.call('GET', '/api/orgs')
    expect([status, body, headers.get('allow')]).toEqual([405, { message: 'Method Not Allowed' }, 'POST'])
  })

  it('refuses a body that is not declared as JSON, and one of more than a megabyte', async () => {
    const text = { 'content-type': 'text/plain' }
    expect(await mock.call('POST', '/api/orgs', '{"name": "a"}', text)).toMatchObject({
      status: 415,
      body: { message: 'The body must be application/json.' },
    })
    expect(await mock.call('POST', '/api/orgs', { name: 'a'.repeat(1024 * 1024) })).toMatchObject({
      status: 413,
      body: { message: expect.any(String) as string },
    })
  })

  it('answers with the content type application/json, without a charset', async () => {
    for (const path of ['/api/org', '/api/orgs/99', '/api/orgs/x', '/api/org/users']) {
      expect((await mock.call('GET', path)).headers.get('content-type')).toBe('application/json')
    }
  })
})
