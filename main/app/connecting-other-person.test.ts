import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { TestClient } from '../../mock-server/test-client'
import { type Computer, newComputer, startMock } from './connecting.testing'
import { createSentNotices } from '../connection/expiry-watch'
import type { Instance } from '../portal/instance/instance'

const { mock, control } = await startMock()

/** Sets the user who logs in at the portal. */
async function signInAs(user: string): Promise<void> {
  await new TestClient(mock).control('PUT', '/user', { user })
}

async function certificates(): Promise<{
  readonly certificates: readonly { readonly commonName: string; readonly user: string }[]
  readonly clients: readonly string[]
}> {
  return (await (await fetch(`${mock.control}/certificates`)).json()) as never
}

/** Returns the user of the last client certificate at the OpenVPN server. */
async function lastClient(): Promise<string | undefined> {
  const { certificates: issued, clients } = await certificates()
  return issued.find(({ commonName }) => commonName === clients.at(-1))?.user
}

async function connectOnce(computer: Computer): Promise<void> {
  await computer.connect('internet', { preferTcp: true })
  await computer.services.connection.disconnect()
}

const secrets = ({ dataDir }: Computer) => readFile(join(dataDir, 'secrets.json'), 'utf8')

describe("a user's certificate", () => {
  it('is not used after a logout and the login of another user', async () => {
    const computer = await newComputer(mock.instance)
    const { services } = computer
    const instance = await services.instances.find(undefined)
    await signInAs('first')
    await connectOnce(computer)
    expect(await lastClient()).toBe('first')
    const before = await (await services.certificates(instance)).load()

    await services.session(instance).logOut()
    expect(await secrets(computer)).not.toMatch(/PRIVATE KEY|token/i)
    await signInAs('second')
    await connectOnce(computer)
    expect(await lastClient()).toBe('second')
    expect((await (await services.certificates(instance)).load())?.commonName).not.toBe(before?.commonName)
  })

  it('is not used if another user logs in without a logout, or after the login has ended', async () => {
    const computer = await newComputer(mock.instance)
    const { services } = computer
    const instance = await services.instances.find(undefined)
    await signInAs('first')
    await connectOnce(computer)
    await signInAs('second')
    await services.session(instance).logIn()
    expect(await secrets(computer)).not.toContain('PRIVATE KEY')
    await connectOnce(computer)
    expect(await lastClient()).toBe('second')

    await control.post('/tokens/revoke', { kind: 'all' })
    await signInAs('third')
    await connectOnce(computer)
    const { clients } = await certificates()
    expect(new Set(clients).size).toBe(3)
  })

  it('is reused for the same login, also after a token refresh', async () => {
    let ahead = 0
    const computer = await newComputer(mock.instance, { now: () => new Date(Date.now() + ahead) })
    await connectOnce(computer)
    ahead = 2 * 3_600_000
    await control.requests()
    await connectOnce(computer)
    expect(await control.requests()).toContain('POST /oauth/token')
    const { clients } = await certificates()
    expect(computer.logins()).toBe(1)
    expect(new Set(clients).size).toBe(1)
  })
})

describe('a logout, and the login of another user', () => {
  const message = { dateTime: new Date('2026-11-20T12:00:00Z'), type: 'notification', message: 'x' } as const

  /** Returns a computer with stored user data of every kind. */
  async function used(): Promise<{ computer: Computer; instance: Instance }> {
    const computer = await newComputer(mock.instance)
    const { services } = computer
    const { id } = await services.instances.find(undefined)
    await services.session(await services.instances.find(id)).logIn()
    const instance = await services.instances.set(id, { userId: 'first', roles: 'MEMBER' })
    await connectOnce(computer)
    await services.lastConnections.put(computer.target())
    await services.read.vpn(instance, (portal) => portal.profiles())
    await services.unreadMessages.see(id, [message])
    await services
      .organizationCredentials(instance)
      .set({ kind: 'bearer', token: 'the-word-of-the-first' }, mock.instance)
    await createSentNotices({
      dataDirectory: computer.dataDir,
      kind: 'window',
      now: () => new Date(),
      registerForget: () => undefined,
    }).record(id, {
      endsAt: new Date(),
      hours: 4,
    })
    await services.attachmentTransfers.download(id, {
      attachmentId: 'of-the-first',
      to: { folder: computer.dataDir },
    })
    // Repeated, because setting credentials clears the cache.
    await services.read.vpn(instance, (portal) => portal.profiles())
    return { computer, instance }
  }

  const logOut = ({ services }: Computer, instance: Instance) => services.session(instance).logOut()
  const logInAgain = async ({ services }: Computer, instance: Instance) => {
    await signInAs('second')
    await services.session(instance).logIn()
  }

  describe.each([
    ['logging out', logOut],
    ['logging in again', logInAgain],
  ])('%s', (_name, act) => {
    /** What is kept of each kind; the last ends the services. */
    const kinds: readonly (readonly [
      string,
      (computer: Computer, instance: Instance) => Promise<boolean>,
    ])[] = [
      [
        'the key pair',
        async (computer, instance) =>
          (await (await computer.services.certificates(instance)).load()) !== undefined ||
          (await secrets(computer)).includes('PRIVATE KEY'),
      ],
      [
        'the credentials for the organization service',
        async (computer, instance) =>
          (await computer.services.organizationCredentials(instance).describe()).bearer ||
          (await secrets(computer)).includes('the-word-of-the-first'),
      ],
      [
        'the identity for the services',
        async ({ services }, { id }) => (await services.instances.find(id)).identity !== undefined,
      ],
      ['the last connection', async ({ services }) => (await services.lastConnections.all()).length > 0],
      [
        'the read state of messages',
        async ({ services, dataDir }, { id }) =>
          (await readFile(join(dataDir, 'messages-read.json'), 'utf8')).includes(id) ||
          services.unreadMessages.isUnread(id, message),
      ],
      [
        'sent expiry notices',
        async ({ dataDir }, { id }) =>
          (await readFile(join(dataDir, 'expiry-notices.json'), 'utf8')).includes(id),
      ],
      ['file transfers', ({ services }) => Promise.resolve(services.attachmentTransfers.all().length > 0)],
      [
        'cached answers',
        async (computer) => {
          await computer.services.dispose()
          const kept = await readdir(join(computer.dataDir, 'seen'), { recursive: true })
          return kept.some((name) => name.endsWith('.json'))
        },
      ],
    ]
    it('forgets everything', async () => {
      const { computer, instance } = await used()
      await act(computer, instance)
      const kept: string[] = []
      for (const [what, isKept] of kinds) if (await isKept(computer, instance)) kept.push(what)
      expect(kept).toEqual([])
    })
  })

  it.each<[string, (computer: Computer, instance: Instance) => Promise<unknown>]>([
    ['the credentials', ({ services }, instance) => services.organizationCredentials(instance).describe()],
    ['the identity', async ({ services }, { id }) => (await services.instances.find(id)).identity],
  ])('keeps %s set up before the first login', async (_what, read) => {
    const computer = await newComputer(mock.instance)
    const { services } = computer
    const { id } = await services.instances.find(undefined)
    const instance = await services.instances.set(id, { userId: 'first' })
    await services
      .organizationCredentials(instance)
      .set({ kind: 'bearer', token: 'the-word-of-the-first' }, mock.instance)
    const before = await read(computer, instance)
    await services.session(instance).logIn()
    expect(await read(computer, instance)).toEqual(before)
  })
})
