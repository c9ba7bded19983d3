import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createInstanceList, type InstanceList } from './instance-list'
import { testReporter } from '../../reporter.testing'

let dataDirectory: string
let damaged: string[]

beforeEach(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), 'causeway-instances-'))
  damaged = []
})

afterEach(() => rm(dataDirectory, { recursive: true, force: true }))

function open(): InstanceList {
  return createInstanceList({
    dataDirectory,
    now: () => new Date('2026-11-20T18:29:34Z'),
    reporter: testReporter({ notice: ({ details }) => damaged.push(String(details?.movedTo)) }),
  })
}

const example = { id: 'vpn.example.org', address: 'https://vpn.example.org/' }
const local = { id: '127.0.0.1:5006', address: 'http://127.0.0.1:5006/' }

describe('adding and removing', () => {
  it('keeps instances over a restart, in the order they were added', async () => {
    await open().add({ address: 'vpn.example.org' })
    await open().add({ address: '127.0.0.1:5006', clientId: 'org.example.client' })
    expect(await open().all()).toEqual([example, { ...local, clientId: 'org.example.client' }])
  })

  it('keeps that an instance is unconfirmed over a restart, until it is confirmed itself', async () => {
    const list = open()
    await list.add({ address: example.address, unconfirmed: true })
    await list.add({ address: local.address, unconfirmed: true })
    const unconfirmed = async () => (await open().all()).map((instance) => instance.unconfirmed)
    expect(await unconfirmed()).toEqual([true, true])
    await list.confirm(local.id)
    expect(await unconfirmed()).toEqual([true, undefined])
    await list.confirm(example.id)
    expect(await unconfirmed()).toEqual([undefined, undefined])
    expect(damaged).toEqual([])
  })

  it('finds an existing instance by another spelling of its address', async () => {
    const list = open()
    await list.add({ address: 'https://VPN.example.org/info.json', clientId: 'one' })
    expect(await list.add({ address: 'vpn.example.org' })).toEqual({ ...example, clientId: 'one' })
    expect(await list.add({ address: 'vpn.example.org', clientId: 'two' })).toEqual({
      ...example,
      clientId: 'two',
    })
    expect(await list.all()).toHaveLength(1)
  })

  it('refuses an invalid address and an invalid client id without any change', async () => {
    const list = open()
    await expect(list.add({ address: 'not an address' })).rejects.toMatchObject({
      code: 'discovery/invalid-address',
    })
    await expect(list.add({ address: 'vpn.example.org', clientId: 'a\nb' })).rejects.toMatchObject({
      code: 'usage/invalid-argument',
    })
    expect(await readdir(dataDirectory)).toEqual([])
  })

  it('removes one and leaves the others', async () => {
    const list = open()
    await list.add({ address: example.address })
    await list.add({ address: local.address })
    await list.remove(example.id)
    await list.remove('never.example.org')
    expect(await list.all()).toEqual([local])
  })

  it('remembers where somebody has signed in until it is removed', async () => {
    const list = open()
    await list.add({ address: example.address })
    await list.add({ address: local.address })
    const received: unknown[] = []
    list.onChange((instances) => received.push(instances))
    for (const id of [example.id, example.id, 'never.example.org']) await list.markSignedIn(id)
    await list.set(local.id, { name: 'Here' })
    const signedIn = { ...example, hasSignedIn: true }
    expect(await open().all()).toEqual([signedIn, { ...local, name: 'Here' }])
    expect(received[0]).toEqual([signedIn, local])
    await list.remove(example.id)
    await list.add({ address: example.address })
    expect(await open().find(example.id)).toEqual(example)
  })

  it('does not lose an instance that another process added meanwhile', async () => {
    const [app, terminal] = [open(), open()]
    await app.all()
    await terminal.add({ address: example.address })
    await app.add({ address: local.address })
    expect(await terminal.all()).toEqual([example, local])
  })

  it('does not lose any of several instances added at once', async () => {
    const list = open()
    const names = ['a', 'b', 'c', 'd'].map((name) => `${name}.example.org`)
    await Promise.all(names.map((address) => list.add({ address })))
    expect((await list.all()).map((instance) => instance.id).sort()).toEqual(names)
  })

  it('notifies listeners until they unsubscribe', async () => {
    const list = open()
    const received: string[][] = []
    const stop = list.onChange((instances) => received.push(instances.map((instance) => instance.id)))
    await list.add({ address: example.address })
    await list.remove(example.id)
    stop()
    await list.add({ address: local.address })
    expect(received).toEqual([[example.id], []])
  })
})

describe('finding', () => {
  it('accepts an id, an address in any spelling, or nothing if there is only one', async () => {
    const list = open()
    await list.add({ address: example.address })
    for (const name of [example.id, example.address, 'VPN.example.org', undefined]) {
      expect(await list.find(name)).toEqual(example)
    }
  })

  it('lists the instances if the name is unknown', async () => {
    const list = open()
    await list.add({ address: example.address })
    for (const name of ['other.example.org', 'no address at all', '']) {
      await expect(list.find(name)).rejects.toMatchObject({
        code: 'usage/unknown-instance',
        details: { ids: [example.id] },
      })
    }
  })

  it('requires an instance to be chosen, or added first', async () => {
    const list = open()
    await expect(list.find(undefined)).rejects.toMatchObject({
      code: 'usage/instance-needed',
      details: { ids: [] },
    })
    await list.add({ address: example.address })
    await list.add({ address: local.address })
    await expect(list.find(undefined)).rejects.toMatchObject({
      code: 'usage/instance-needed',
      details: { ids: [example.id, local.id] },
    })
  })
})

it.each([
  ['no JSON', '{"version": 1, "data": {"inst'],
  ['an invalid address', '{"version": 1, "data": {"instances": [{"address": "javascript:alert(1)"}]}}'],
  ['wrong types', '{"version": 1, "data": {"instances": {}}}'],
])('sets a damaged file aside and says so: %s', async (_name, content) => {
  await writeFile(join(dataDirectory, 'instances.json'), content)
  expect(await open().all()).toEqual([])
  expect(damaged).toHaveLength(1)
  expect(await readFile(String(damaged[0]), 'utf8')).toBe(content)
})

describe('settings of an instance', () => {
  const attachments = 'https://files.example.org/v2.0.0'

  it('keeps the name that the person gives a service, in one line, until it is removed', async () => {
    const list = open()
    await list.add({ address: example.address })
    expect(await list.set(example.id, { name: '  My\n university ' })).toEqual({
      ...example,
      name: 'My university',
    })
    expect(await list.set(example.id, { clientId: 'one' })).toMatchObject({ name: 'My university' })
    await expect(list.set(example.id, { name: 'x\u202ey' })).rejects.toMatchObject({
      code: 'usage/invalid-argument',
      details: { argument: 'name' },
    })
    expect(await list.set(example.id, { name: '', clientId: '' })).toEqual(example)
  })

  it('are kept over a restart, and each can be removed alone', async () => {
    const list = open()
    await list.add({ address: example.address })
    await list.set(example.id, { attachments: `${attachments}/`, userId: 'ann', roles: 'member,contributor' })
    await list.set(example.id, { content: 'http://127.0.0.1:5006', clientId: 'org.example.client' })
    const set = {
      ...example,
      clientId: 'org.example.client',
      services: { attachments, content: 'http://127.0.0.1:5006' },
      identity: { userId: 'ann', roles: ['CONTRIBUTOR', 'MEMBER'] },
    }
    expect(await open().find(example.id)).toEqual(set)
    await list.set(example.id, { content: '', roles: '', clientId: '' })
    expect(await open().find(example.id)).toEqual({
      ...example,
      services: { attachments },
      identity: { userId: 'ann' },
    })
    expect(await list.set(example.id, { attachments: '', userId: '' })).toEqual(example)
  })

  it('are kept if the same address is added again, and affect no other instance', async () => {
    const list = open()
    await list.add({ address: local.address })
    await list.add({ address: example.address })
    await list.set(example.id, { attachments })
    await list.add({ address: example.address, clientId: 'one' })
    expect(await list.all()).toEqual([local, { ...example, clientId: 'one', services: { attachments } }])
  })

  it('notify listeners such as the window', async () => {
    const list = open()
    await list.add({ address: example.address })
    const received: unknown[] = []
    list.onChange((all) => received.push(all))
    await list.set(example.id, { attachments })
    expect(received).toEqual([[{ ...example, services: { attachments } }]])
  })

  it.each([
    ['http://vpn.example.org/', 'plain http to another machine'],
    ['ftp://vpn.example.org/', 'another scheme'],
    ['javascript:alert(1)', 'a script'],
    ['vpn.example.org', 'no scheme'],
    ['https://ann:hunter2@vpn.example.org/', 'a password'],
    ['https://vpn.example.org/?a=hunter2', 'a query'],
    ['https://vpn.example.org/#hunter2', 'a fragment'],
    ['https://vpn.example.org/a b', 'a space'],
    ['https:\\\\vpn.example.org', 'backslashes'],
    ['https://', 'no host'],
    [`https://vpn.example.org/${'x'.repeat(2050)}`, 'too long'],
  ])('take no %s (%s), change nothing and do not repeat it', async (address) => {
    const list = open()
    await list.add({ address: example.address })
    await expect(list.set(example.id, { content: address, userId: 'ann' })).rejects.toSatisfy(
      (error: Error) => !(error.message + JSON.stringify(error)).includes('hunter2'),
    )
    await expect(list.set(example.id, { content: address })).rejects.toMatchObject({
      code: 'usage/invalid-argument',
      details: { argument: 'content' },
    })
    expect(await list.all()).toEqual([example])
  })

  it.each([
    [{ userId: 'ann smith' }, 'user-id'],
    [{ userId: 'ann\r\nx-user-roles: ADMINISTRATOR' }, 'user-id'],
    [{ roles: 'ADMINISTRATOR,OWNER' }, 'roles'],
    [{ roles: ',' }, 'roles'],
    [{ clientId: 'a\nb' }, 'client-id'],
  ])('take no %j', async (changes, argument) => {
    const list = open()
    await list.add({ address: example.address })
    await expect(list.set(example.id, changes)).rejects.toMatchObject({
      code: 'usage/invalid-argument',
      details: { argument },
    })
  })

  it('cannot be changed for an unknown instance', async () => {
    await expect(open().set('never.example.org', { attachments })).rejects.toMatchObject({
      code: 'usage/unknown-instance',
    })
  })
})

describe('instances that the policy of the computer sets', () => {
  const policy = () =>
    Promise.resolve({
      instances: [
        { address: 'vpn.example.org', clientId: 'org.example.client' },
        { address: local.address, apiVersion: 3 as const },
      ],
      settings: {},
    })
  const managed = () => createInstanceList({ dataDirectory, now: () => new Date(), policy })

  it('are in the list of every user, with those that the user added', async () => {
    await open().add({ address: 'vpn.example.net' })
    await open().add({ address: local.address, clientId: 'own' })
    expect(await managed().all()).toEqual([
      { id: 'vpn.example.net', address: 'https://vpn.example.net/' },
      { ...local, clientId: 'own', apiVersion: 3, managed: true },
      { ...example, clientId: 'org.example.client', managed: true },
    ])
    expect(await managed().find('vpn.example.org')).toMatchObject({ managed: true })
  })

  it('keep what the policy sets, and take other settings of the user', async () => {
    const list = managed()
    await expect(list.set(example.id, { clientId: 'own' })).rejects.toMatchObject({
      code: 'settings/managed',
    })
    await expect(list.add({ address: example.address, clientId: 'own' })).rejects.toMatchObject({
      code: 'settings/managed',
    })
    await expect(list.set(local.id, { api: '2' })).rejects.toMatchObject({ code: 'settings/managed' })
    expect(await readdir(dataDirectory)).toEqual([])
    const set = await list.set(example.id, { content: 'https://news.example.org' })
    expect(set).toMatchObject({ clientId: 'org.example.client', managed: true })
    expect(await managed().find(example.id)).toEqual(set)
  })

  it('end with the policy also if somebody has signed in to them', async () => {
    await managed().markSignedIn(example.id)
    expect(await managed().find(example.id)).toMatchObject({ managed: true, hasSignedIn: true })
    expect(await open().all()).toEqual([])
  })

  it('are the one instance in any spelling of their address', async () => {
    for (const address of ['HTTPS://VPN.Example.org:443/', 'vpn.example.org./?page=1', 'vpn.example.org'])
      expect(await managed().add({ address })).toEqual({
        ...example,
        clientId: 'org.example.client',
        managed: true,
      })
    expect(await managed().all()).toHaveLength(2)
  })

  it('end with the policy, and leave the user what is theirs', async () => {
    await open().add({ address: local.address, clientId: 'own', apiVersion: 2 })
    await managed().add({ address: 'vpn.example.net' })
    await managed().set(local.id, { content: 'https://news.example.org' })
    expect(await open().all()).toEqual([
      { ...local, clientId: 'own', apiVersion: 2, services: { content: 'https://news.example.org' } },
      { id: 'vpn.example.net', address: 'https://vpn.example.net/' },
    ])
  })

  it("can't be listed while the policy is unusable", async () => {
    const broken = createInstanceList({
      dataDirectory,
      now: () => new Date(),
      policy: () => Promise.reject(new Error('unusable')),
    })
    await expect(broken.all()).rejects.toThrow('unusable')
    await expect(broken.add({ address: example.address })).rejects.toThrow('unusable')
  })
})
