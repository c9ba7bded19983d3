import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { startTestMock } from '../../mock-server/test-authority'
import { TestClient } from '../../mock-server/test-client'
import { appState, type AppState, type InstanceSlice } from '../../contract/state'
import { CausewayError } from '../errors'
import type { AppModel } from './models/app-model'
import type { CommandHandlers } from './dispatch'
import type { NewMessages } from './models/instance-models'
import { startModel, type StartedModel } from './model.testing'

interface World {
  readonly client: TestClient
  readonly dataDir: string
  readonly instanceAddress: string
}

interface Started {
  readonly services: StartedModel['services']
  readonly model: AppModel
  readonly run: CommandHandlers
  /** The URLs opened in the browser. */
  readonly opened: URL[]
  /** The texts copied to the clipboard. */
  readonly copied: readonly string[]
  readonly changes: Partial<AppState>[]
  /** Resolves with the instance once it matches. */
  readonly until: (wanted: (instance: InstanceSlice) => boolean) => Promise<InstanceSlice>
}

/** A mock server and an empty data directory. */
async function createWorld(): Promise<World> {
  const server = await startTestMock({ autoApprove: true })
  onTestFinished(() => server.close())
  const dataDir = await mkdtemp(join(tmpdir(), 'causeway-model-'))
  // The last answers may still be on their way to the disk.
  onTestFinished(() => rm(dataDir, { recursive: true, force: true, maxRetries: 5 }))
  return { client: new TestClient(server), dataDir, instanceAddress: server.instance }
}

/** Starts the model over real services. The `person` at the browser approves, or only looks. */
async function start({ dataDir }: World, person: 'approves' | 'looks' = 'approves'): Promise<Started> {
  const opened: URL[] = []
  const copied: string[] = []
  const { services, model, run, changes } = await startModel({
    dataDir,
    copyText: (text) => {
      copied.push(text)
      return Promise.resolve()
    },
    openBrowser: async (url) => {
      opened.push(url)
      if (person === 'approves') await (await fetch(url)).text()
    },
  })
  return {
    services,
    model,
    run,
    opened,
    copied,
    changes,
    until: (wanted) =>
      vi.waitFor(() => {
        const instance = model.state().instances.find(wanted)
        if (instance === undefined) throw new Error(JSON.stringify(model.state().instances))
        return instance
      }),
  }
}

/** Starts the model, adds the instance and logs in. */
async function startLoggedIn(world: World): Promise<Started & { readonly instanceId: string }> {
  const started = await start(world)
  const { instanceId } = await started.run.addInstance({ address: world.instanceAddress })
  await started.run.logIn({ instanceId })
  return { ...started, instanceId }
}

describe('AppModel over the real services', () => {
  it('asks the window to show a view until it confirms the latest one', async () => {
    const { model, run } = await start(await createWorld())
    model.goTo('messages')
    expect(model.state().wanted).toBe('messages')
    model.goTo('settings')
    await run.arrivedAt({ view: 'messages' })
    expect(model.state().wanted).toBe('settings')
    await run.arrivedAt({ view: 'settings' })
    expect(model.state().wanted).toBeUndefined()
  })

  it('sends settings only when they have changed', async () => {
    const { model, run, changes } = await start(await createWorld())
    const sent = () => changes.filter((changed) => 'settings' in changed).length
    await run.setSetting({ name: 'theme', value: 'dark' })
    await vi.waitFor(() => {
      expect(model.state().settings.theme).toBe('dark')
    })
    const before = sent()
    expect(before).toBeGreaterThan(0)
    await model.readSettings()
    expect(sent()).toBe(before)
  })

  it('stars profiles for the next start, the newest first, each once', async () => {
    const world = await createWorld()
    const { model, run } = await start(world)
    const { instanceId } = await run.addInstance({ address: world.instanceAddress })
    const star = (profileId: string, starred: boolean) => run.starProfile({ instanceId, profileId, starred })
    for (const profileId of ['one', 'two', 'one']) await star(profileId, true)
    const ofModel = () => model.state().shortcuts.starred.map(({ profileId }) => profileId)
    expect(ofModel()).toEqual(['one', 'two'])
    await star('one', false)
    expect(ofModel()).toEqual(['two'])
    const again = await start(world)
    expect(again.model.state().shortcuts.starred).toEqual([{ instanceId, profileId: 'two' }])
  })

  it('reads what was folded and starred, each also if another file is unreadable', async () => {
    const world = await createWorld()
    const { run } = await start(world)
    const { instanceId } = await run.addInstance({ address: world.instanceAddress })
    await run.foldService({ instanceId, folded: true })
    await run.starProfile({ instanceId, profileId: 'one', starred: true })
    const folds = [expect.objectContaining({ instanceId, folded: true })]
    const starred = [{ instanceId, profileId: 'one' }]
    expect((await start(world)).model.state().shortcuts).toMatchObject({ folds, starred })

    const file = join(world.dataDir, 'starred-profiles.json')
    await rm(file)
    await mkdir(file)
    const { model } = await start(world)
    expect(model.state().shortcuts).toMatchObject({ folds, starred: [] })
    expect(model.state().notices.map(({ code }) => code)).toContain('data/unreadable')
  })

  it('sends once per change whether the window is in front', async () => {
    const { model } = await start(await createWorld())
    const received: unknown[] = []
    model.onChange(({ inFront }) => received.push(inFront))
    for (const inFront of [true, true, false]) model.setInFront(inFront)
    expect(received).toEqual([true, false])
    expect(model.state().inFront).toBe(false)
  })

  it('sends the expiry of a login as soon as there is a certificate, and renews both', async () => {
    const world = await createWorld()
    const { run, opened, until, instanceId } = await startLoggedIn(world)
    await run.renewSession({ instanceId })
    expect(opened).toHaveLength(2)
    const { ends } = await until(({ login, ends }) => login === 'signed-in' && ends !== undefined)
    expect(ends?.at).toBeGreaterThan(Date.now())
    expect(ends?.renewableFrom).toBeLessThan(ends?.at ?? 0)

    const again = await start(world)
    await again.until((instance) => instance.ends?.at === ends?.at)
  })

  it('sends the services of an instance after discovery, and keeps them after a logout', async () => {
    const world = await createWorld()
    const { run, until, instanceId } = await startLoggedIn(world)
    const all = { attachments: true, content: true, organizations: true }
    const { services } = await until((instance) => instance.services !== undefined)
    expect(services).toEqual(all)
    await run.logOut({ instanceId })
    expect((await until(({ login }) => login === 'signed-out')).services).toEqual(all)
  })

  it('knows after a logout and a restart that somebody has signed in', async () => {
    const world = await createWorld()
    const first = await start(world)
    const { instanceId } = await first.run.addInstance({ address: world.instanceAddress })
    expect((await first.until(({ login }) => login === 'signed-out')).hasSignedIn).toBeUndefined()
    await first.run.logIn({ instanceId })
    await first.run.logOut({ instanceId })
    await first.until(({ login, hasSignedIn }) => login === 'signed-out' && hasSignedIn === true)
    const again = await start(world)
    await again.until(({ login, hasSignedIn }) => login === 'signed-out' && hasSignedIn === true)
    await again.run.removeInstance({ instanceId })
    await again.run.addInstance({ address: world.instanceAddress })
    expect(again.model.state().instances).toMatchObject([{ id: instanceId, hasSignedIn: undefined }])
  })

  it.each(['logOut', 'removeInstance'] as const)(
    '%s forgets the tokens even if disconnecting fails',
    async (name) => {
      const { services, run, until, instanceId } = await startLoggedIn(await createWorld())
      const instance = await services.instances.find(instanceId)
      const target = { instanceId, profileId: 'internet' }
      vi.spyOn(services.connection, 'state', 'get').mockReturnValue({ state: 'discovering', target })
      vi.spyOn(services.connection, 'disconnect').mockRejectedValue(new Error('no room on the disk'))
      await expect(run[name]({ instanceId })).rejects.toThrow('no room')
      vi.restoreAllMocks()
      expect(await services.session(instance).signedIn()).toBe(false)
      if (name === 'logOut') await until(({ login }) => login === 'signed-out')
      else expect(await services.instances.all(), 'still there to try again').toHaveLength(1)
    },
  )

  it("returns the doctor's findings without the terminal's sentences, and opens their pages", async () => {
    const { run, opened } = await start(await createWorld(), 'looks')
    const findings = await run.runDoctor(undefined)
    expect(findings.map(({ name }) => name)).toContain('openvpn')
    for (const finding of findings) expect(Object.keys(finding)).not.toContain('detail')
    await run.openHelpPage({ page: 'openvpn-download' })
    expect(opened.map(String)).toEqual(['https://openvpn.net/community-downloads/'])
  })

  it('adds an instance, logs in and loads its lists, and sends only data valid by the contract', async () => {
    const world = await createWorld()
    const { model, run, opened, changes } = await start(world)
    expect(model.state()).toMatchObject({ instances: [], connection: { state: 'idle' } })

    const { instanceId } = await run.addInstance({ address: world.instanceAddress })
    expect(model.state().instances).toMatchObject([{ id: instanceId }])
    expect(opened).toEqual([])

    await run.logIn({ instanceId })
    const [instance] = model.state().instances
    expect(instance).toMatchObject({
      login: 'signed-in',
      profiles: {
        status: 'loaded',
        items: [
          { profileId: 'internet', displayName: 'Internet Access', defaultGateway: true },
          { profileId: 'office', displayName: 'Office Network', defaultGateway: false },
        ],
      },
      messages: { status: 'loaded' },
    })
    expect(instance?.messages.items.length).toBeGreaterThan(1)
    expect(changes.some(({ instances }) => instances?.[0]?.login === 'waiting-for-browser')).toBe(true)

    expect(appState.parse(structuredClone(model.state()))).toEqual(model.state())
    for (const changed of changes) appState.partial().parse(structuredClone(changed))
  })

  it('reports new messages once, and keeps their read state over a restart', async () => {
    const world = await createWorld()
    const { model, run } = await start(world)
    const news: NewMessages[] = []
    model.instances.onNewMessages((each) => news.push(each))
    const { instanceId } = await run.addInstance({ address: world.instanceAddress })
    await run.logIn({ instanceId })
    await run.refreshMessages({ instanceId })
    const items = model.state().instances[0]?.messages.items ?? []
    expect(items.length).toBeGreaterThan(1)
    expect(items.every(({ unread }) => unread)).toBe(true)
    expect(news).toMatchObject([{ instanceId }])
    expect(news[0]?.texts).toHaveLength(items.length)

    const [first, ...others] = items
    await run.markMessagesRead({ instanceId, ids: [first?.id ?? '', 'no such message'] })
    const next = await start(world)
    next.model.instances.onNewMessages((each) => news.push(each))
    const { messages } = await next.until((instance) => instance.messages.status === 'loaded')
    expect(messages.items.filter(({ unread }) => unread)).toEqual(others)
    expect(news).toHaveLength(1)
  })

  it('contains no secrets', async () => {
    const world = await createWorld()
    const { model, changes } = await startLoggedIn(world)
    const sent = JSON.stringify([model.state(), changes])
    const journal = JSON.stringify(await (await fetch(`${world.client.origin}/_mock/requests`)).json())
    const bearer = /Bearer ([\w.~+/=-]{16,})/.exec(journal)?.[1]
    expect(bearer).toBeDefined()
    expect(sent).not.toContain(bearer)
    expect(sent).not.toContain('PRIVATE KEY')
  })

  it('shows the instances at once after a restart, then the login, without a browser', async () => {
    const world = await createWorld()
    await startLoggedIn(world)

    const next = await start(world)
    expect(next.model.state().instances).toMatchObject([
      { login: 'unknown', profiles: { status: 'unknown' } },
    ])
    const instance = await next.until(({ profiles, messages }) => {
      return profiles.status === 'loaded' && messages.status === 'loaded'
    })
    expect(instance).toMatchObject({ login: 'signed-in', profiles: { items: [{}, {}] } })
    expect(next.opened).toEqual([])
  })

  it("shows the last answer's profiles after a restart until the service answers", async () => {
    const world = await createWorld()
    const first = await startLoggedIn(world)
    await first.services.dispose()
    const fault = { match: { path: '/api/vpn/profile_list' }, fault: { delayMs: 60_000 } }
    await world.client.control('POST', '/faults', fault)

    const next = await start(world)
    const { profiles } = await next.until((instance) => instance.profiles.items.length > 0)
    expect(profiles).toEqual({
      status: 'loading',
      items: first.model.state().instances[0]?.profiles.items,
    })
  })

  it('sends the texts of a language only when it changes', async () => {
    const { run, changes } = await start(await createWorld())
    changes.length = 0
    await run.setSetting({ name: 'theme', value: 'dark' })
    await run.setSetting({ name: 'language', value: 'de' })
    const sent = changes.filter(({ settings }) => settings !== undefined)
    expect(sent).toMatchObject([{ settings: { theme: 'dark' } }, { wording: { language: 'de' } }])
    expect(sent[0]).not.toHaveProperty('wording')
  })

  it('changes the language of all texts without a request', async () => {
    const world = await createWorld()
    const { model, run } = await startLoggedIn(world)
    await fetch(`${world.client.origin}/_mock/requests`, { method: 'DELETE' })
    await run.setSetting({ name: 'language', value: 'nl' })
    expect(model.state()).toMatchObject({
      wording: { language: 'nl', locale: 'nl' },
      settings: { language: 'nl' },
    })
    expect(model.state().instances[0]?.profiles.items[0]?.displayName).toBe('Internettoegang')
    expect(await (await fetch(`${world.client.origin}/_mock/requests`)).json()).toEqual([])
  })

  it('shows names of profiles as short lines without control and direction characters', async () => {
    const world = await createWorld()
    const names = ['Office\u202e\u0007 Net\nwork', 'x'.repeat(10_000), '\u202e \u2066']
    const profiles = names.map((display_name, index) => ({ profile_id: `p${index}`, display_name }))
    await world.client.control('PUT', '/profiles', profiles)
    const { model } = await startLoggedIn(world)
    const shown = model.state().instances[0]?.profiles.items.map(({ displayName }) => displayName)
    expect(shown).toEqual(['Office Net work', `${'x'.repeat(199)}…`, 'p2'])
  })

  it('reports an ended login, keeps the lists, and opens no browser', async () => {
    const world = await createWorld()
    const { model, run, opened, instanceId } = await startLoggedIn(world)
    await world.client.control('POST', '/tokens/revoke', { kind: 'all' })
    await run.refreshMessages({ instanceId })
    expect(model.state().instances).toMatchObject([
      { login: 'signed-out', loginError: { code: 'oauth/login-required' }, profiles: { items: [{}, {}] } },
    ])
    expect(opened).toHaveLength(1)
  })

  it('reports a failed fetch in its own list, with the previous items', async () => {
    const world = await createWorld()
    const { model, run, instanceId } = await startLoggedIn(world)
    await world.client.control('POST', '/faults', {
      match: { path: '/api/vpn/profile_list' },
      fault: { status: 500 },
    })
    await run.refreshProfiles({ instanceId })
    expect(model.state().instances).toMatchObject([
      {
        login: 'signed-in',
        profiles: { status: 'failed', items: [{}, {}], error: { code: 'vpn-api/server-error' } },
        messages: { status: 'loaded' },
      },
    ])
    expect(model.state().notices.map(({ code }) => code)).toEqual(['secret-store/in-file'])
  })

  it('finds a new profile in the background, and ignores errors', async () => {
    const world = await createWorld()
    const { model, changes, instanceId } = await startLoggedIn(world)
    const [before] = model.state().instances
    changes.length = 0
    await world.client.control('POST', '/faults', {
      match: { path: '/api/vpn/profile_list' },
      times: 10,
      fault: { status: 500 },
    })
    await model.instance(instanceId).lookForProfiles()
    expect(model.state().instances).toEqual([before])

    await world.client.control('DELETE', '/faults')
    await world.client.control('PUT', '/profiles', [{ profile_id: 'lab', display_name: 'Laboratory' }])
    await model.instance(instanceId).lookForProfiles()
    expect(model.state().instances).toMatchObject([
      { profiles: { status: 'loaded', items: [{ profileId: 'lab' }] } },
    ])
    const shown = changes.flatMap(({ instances }) => instances?.map(({ profiles }) => profiles.status) ?? [])
    expect(new Set(shown)).toEqual(new Set(['loaded']))
    expect(model.state().notices.map(({ code }) => code)).toEqual(['secret-store/in-file'])
  })

  it('can log in again after a cancelled login', async () => {
    const world = await createWorld()
    const { run, opened, until } = await start(world, 'looks')
    const { instanceId } = await run.addInstance({ address: world.instanceAddress })
    for (const attempt of [1, 2]) {
      const login = run.logIn({ instanceId })
      const cancelled = expect(login).rejects.toMatchObject({ code: 'oauth/cancelled' })
      await vi.waitFor(() => {
        expect(opened).toHaveLength(attempt)
      })
      await run.cancelLogIn({ instanceId })
      await cancelled
      const instance = await until(({ login: state }) => state === 'signed-out')
      expect(instance.loginError).toBeUndefined()
    }
  })

  it('opens the browser again or copies the link during a login, without sending the URL to the window', async () => {
    const world = await createWorld()
    const { model, run, opened, copied, until } = await start(world, 'looks')
    const { instanceId } = await run.addInstance({ address: world.instanceAddress })
    const login = run.logIn({ instanceId })
    const { browser } = await until(({ browser }) => browser !== undefined)
    expect(browser?.until).toBeGreaterThan(Date.now())
    await run.openLogInAgain({ instanceId })
    await run.copyLogInLink({ instanceId })
    expect(opened).toHaveLength(2)
    expect(copied).toEqual([expect.stringMatching(/\/oauth\/authorize\?client_id=.*&state=/)])
    expect(JSON.stringify(model.state())).not.toContain('state=')

    await (await fetch(opened[1] ?? '')).text()
    await login
    expect((await until(({ login: state }) => state === 'signed-in')).browser).toBeUndefined()
    await run.openLogInAgain({ instanceId })
    await run.copyLogInLink({ instanceId })
    expect([opened.length, copied.length]).toEqual([2, 1])
  })

  it('logs in with the client id set just before', async () => {
    const world = await createWorld()
    const { run, opened, until } = await start(world)
    const { instanceId } = await run.addInstance({ address: world.instanceAddress })
    await run.setInstanceSettings({ instanceId, clientId: 'org.example.unknown' })
    await expect(run.logIn({ instanceId })).rejects.toMatchObject({ code: 'oauth/client-refused' })
    expect((await until(({ login }) => login === 'signed-out')).loginError?.code).toBe('oauth/client-refused')
    expect(opened).toEqual([])
    await run.setInstanceSettings({ instanceId, clientId: 'org.causeway.app.macos' })
    await run.logIn({ instanceId })
    await until(({ login }) => login === 'signed-in')
  })

  it('notices when the window comes to the front what the terminal did to the list of services', async () => {
    const world = await createWorld()
    const { model, run } = await start(world)
    const { instanceId } = await run.addInstance({ address: world.instanceAddress })
    const shown = () => model.state().instances.map(({ id }) => id)
    const terminal = await start(world)
    await terminal.services.instances.set(instanceId, { clientId: 'org.example.unknown' })
    const { id: other } = await terminal.services.instances.add({ address: 'https://127.0.0.1:9/' })
    model.setInFront(true)
    await vi.waitFor(() => {
      expect(shown()).toEqual([instanceId, other])
    })
    await expect(run.logIn({ instanceId })).rejects.toMatchObject({ code: 'oauth/client-refused' })
    await terminal.services.instances.remove(other)
    model.setInFront(false)
    model.setInFront(true)
    await vi.waitFor(() => {
      expect(shown()).toEqual([instanceId])
    })
  })

  it('notices when the window comes to the front that somebody signed in or out in the terminal', async () => {
    const world = await createWorld()
    const { model, run, until, opened } = await start(world)
    const { instanceId } = await run.addInstance({ address: world.instanceAddress })
    await until(({ login }) => login === 'signed-out')
    const terminal = await start(world)
    await terminal.run.logIn({ instanceId })
    model.setInFront(true)
    await until(({ login, profiles }) => login === 'signed-in' && profiles.status === 'loaded')
    await terminal.run.logOut({ instanceId })
    model.setInFront(false)
    model.setInFront(true)
    // Another person may sit here now.
    expect((await until(({ login }) => login === 'signed-out')).profiles.items).toEqual([])
    expect(opened).toEqual([])
  })

  it('notices a sign-in in the terminal also where the service has ended the last login', async () => {
    const world = await createWorld()
    const { model, run, until, instanceId } = await startLoggedIn(world)
    const terminal = await start(world)
    await world.client.control('POST', '/tokens/revoke', { kind: 'all' })
    await run.refreshProfiles({ instanceId })
    await model.instances.look()
    expect((await until(({ login }) => login === 'signed-out')).loginError?.code).toBe('oauth/login-required')
    await terminal.run.logIn({ instanceId })
    await model.instances.look()
    expect((await until(({ login }) => login === 'signed-in')).loginError).toBeUndefined()
  })

  it('looks no more once the key store fails, which might ask for its password each time', async () => {
    const { services, model, instanceId } = await startLoggedIn(await createWorld())
    const session = services.session(await services.instances.find(instanceId))
    const read = vi.spyOn(session, 'login').mockRejectedValue(new CausewayError('secret-store/locked'))
    await model.instances.look()
    await model.instances.look()
    expect(read).toHaveBeenCalledOnce()
  })

  it('shows a login during connecting, which can be cancelled', async () => {
    const world = await createWorld()
    const { instanceId } = await startLoggedIn(world)
    const { model, run, opened, until } = await start(world, 'looks')
    const before = await until(({ profiles }) => profiles.status === 'loaded')
    await world.client.control('POST', '/tokens/revoke', { kind: 'all' })

    const connecting = run.connect({ instanceId, profileId: 'internet' })
    await until(({ login }) => login === 'waiting-for-browser')
    await vi.waitFor(() => {
      expect(opened).toHaveLength(1)
    })
    await run.cancelLogIn({ instanceId })
    await connecting
    expect(model.state().connection.state).toBe('disconnected')
    const after = await until(({ login }) => login === 'signed-out')
    expect(after.profiles.items, 'nobody else has signed in').toEqual(before.profiles.items)
    expect(after.person).toBe(before.person)
  })

  it('forgets the lists after a login during connecting', async () => {
    const world = await createWorld()
    const { model, run, until, instanceId } = await startLoggedIn(world)
    const first = model.state().instances[0]?.person
    await world.client.control('POST', '/tokens/revoke', { kind: 'all' })
    // The tunnel may fail.
    const connecting = run.connect({ instanceId, profileId: 'internet' }).catch(() => undefined)
    await until(({ login, person }) => login === 'signed-in' && person !== first)
    await run.disconnect()
    await connecting
  })

  it('forgets the lists when it finds a login that was made in the terminal', async () => {
    const world = await createWorld()
    const { model, instanceId } = await startLoggedIn(world)
    const person = (): unknown => model.state().instances[0]?.person
    const first = person()
    await model.instance(instanceId).readLogin()
    expect(person()).toBe(first)
    const other = await start(world)
    await other.run.logOut({ instanceId })
    await other.run.logIn({ instanceId })
    await model.instance(instanceId).readLogin()
    expect(person(), 'the window drops what it has fetched').not.toBe(first)
  })

  it('forgets the lists on logout, and the instance on removal', async () => {
    const world = await createWorld()
    const { model, run, instanceId } = await startLoggedIn(world)
    const person = (): unknown => model.state().instances[0]?.person
    const first = person()
    await run.logOut({ instanceId })
    expect(person(), 'the window drops what it has fetched').not.toBe(first)
    expect(model.state().instances).toMatchObject([
      {
        login: 'signed-out',
        loggedOut: true,
        profiles: { status: 'unknown', items: [] },
        messages: { items: [] },
      },
    ])
    await run.removeInstance({ instanceId })
    expect(model.state().instances).toEqual([])
    await expect(run.logIn({ instanceId })).rejects.toMatchObject({ code: 'usage/unknown-instance' })
  })

  it('shows nothing of the previous login after a new one', async () => {
    const world = await createWorld()
    const { model, run, until, instanceId } = await startLoggedIn(world)
    const person = (): unknown => model.state().instances[0]?.person
    const first = person()
    await run.renewSession({ instanceId })
    expect(person(), 'the window drops what it has fetched').not.toBe(first)
    await until(({ ends, profiles }) => ends !== undefined && profiles.status === 'loaded')
    await world.client.control('POST', '/faults', {
      match: { path: '/api/vpn/profile_list' },
      fault: { status: 503 },
    })
    await run.logIn({ instanceId })
    const [instance] = model.state().instances
    expect(instance).toMatchObject({ login: 'signed-in', profiles: { status: 'failed', items: [] } })
    expect(instance?.ends).toBeUndefined()
  })

  it('reports a damaged file and starts without it', async () => {
    const world = await createWorld()
    await writeFile(join(world.dataDir, 'instances.json'), '{"version": 1, "data"')
    const { model, run } = await start(world)
    const damaged = model.state().notices.filter(({ code }) => code === 'data/damaged')
    expect(damaged.map(({ details }) => String(details?.movedTo))).toEqual([
      expect.stringContaining('instances.json.corrupt-'),
    ])
    await run.dismissNotices()
    expect(model.state().notices).toEqual([])
  })
})
