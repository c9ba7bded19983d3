import { describe, expect, it } from 'vitest'
import { createHttpClient } from '../../platform/http/http-client'
import { rejection } from '../../platform/http/test-server.testing'
import { InstanceTokenSession, type InstanceTokenSessionOptions } from './instance-token-session'
import {
  authorizationAt,
  browserThat,
  issued,
  MemorySecretStore,
  redirectOf,
  refused,
  startPortal,
  type AnswerToken,
  type TestPortal,
} from './portal.testing'
import type { OpenBrowser } from './token-session'

const hour = 3_600_000
/** What is left in the key store of a login that has ended. */
const ended = '{"ended":true}'

interface Setting {
  readonly portal: TestPortal
  readonly secretStore: MemorySecretStore
  readonly clock: { now: number }
  /** Another process with the same key store, as far as sessions are concerned. */
  readonly newSession: (more?: Partial<InstanceTokenSessionOptions>) => InstanceTokenSession
  readonly session: InstanceTokenSession
  readonly stored: () => unknown
  /** One entry each time that what is kept of a login was forgotten. */
  readonly forgotten: readonly boolean[]
}

async function setUp(
  answer?: AnswerToken,
  more: Partial<InstanceTokenSessionOptions> = {},
): Promise<Setting> {
  const portal = await startPortal(answer)
  const secretStore = new MemorySecretStore()
  const clock = { now: 1_800_000_000_000 }
  const forgotten: boolean[] = []
  let logins = 0
  const newSession = (others: Partial<InstanceTokenSessionOptions> = {}): InstanceTokenSession =>
    new InstanceTokenSession({
      instance: portal.instance,
      endpoints: () => Promise.resolve(portal.endpoints),
      clientId: 'org.causeway.app.linux',
      http: portal.http,
      secretStore,
      openBrowser: browserThat(),
      alone: oneAtATime,
      forgetGrants: () => Promise.resolve(),
      forgetLogin: (replaced) => {
        forgotten.push(replaced)
        return Promise.resolve()
      },
      newLogin: () => `login-${(logins += 1)}`,
      now: () => clock.now,
      ...more,
      ...others,
    })
  const before = new Map<string, Promise<unknown>>()
  function oneAtATime<T>(kind: string, work: () => Promise<T>): Promise<T> {
    const result = (before.get(kind) ?? Promise.resolve()).then(work)
    before.set(
      kind,
      result.catch(() => undefined),
    )
    return result
  }
  const stored = (): unknown => {
    const [secret] = secretStore.secrets.values()
    return secret === undefined ? undefined : JSON.parse(secret)
  }
  return { portal, secretStore, clock, newSession, session: newSession(), stored, forgotten }
}

/** A session that has logged in, an hour and more ago: its access token is expired. */
async function setUpExpired(answer: AnswerToken): Promise<Setting> {
  const setting = await setUp()
  await setting.session.logIn()
  setting.portal.tokenRequests.length = 0
  setting.portal.answer = answer
  setting.clock.now += hour
  return setting
}

/** Lets a test decide when an answer is given. */
function gate(): { opened: Promise<void>; open: () => void } {
  let open = (): void => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

describe('without a login', () => {
  it('says that one is needed, and asks nobody', async () => {
    const { session, portal } = await setUp()
    expect(await session.signedIn()).toBe(false)
    expect(await rejection(session.accessToken())).toMatchObject({ code: 'oauth/login-required' })
    expect(portal.tokenRequests).toHaveLength(0)
  })

  it('finds a login that another process has made since', async () => {
    const { session, newSession } = await setUp()
    expect(await session.signedIn()).toBe(false)
    await newSession().logIn()
    expect(await session.accessToken()).toBe('access-1')
  })

  it('takes a damaged key store entry for none and replaces it at the next login', async () => {
    let reported = 0
    const { session, secretStore, portal } = await setUp(undefined, { onUnreadable: () => (reported += 1) })
    secretStore.secrets.set(`tokens:${portal.instance.id}`, '{')
    expect(await session.signedIn()).toBe(false)
    await session.logIn()
    expect(await session.accessToken()).toBe('access-1')
    expect(reported).toBe(1)
  })
})

describe('an unexpired access token', () => {
  it('is used as it is, also after a restart', async () => {
    const { session, newSession, portal, clock } = await setUp()
    await session.logIn()
    clock.now += hour - 31_000
    expect(await session.accessToken()).toBe('access-1')
    expect(await newSession().signedIn()).toBe(true)
    expect(await newSession().accessToken()).toBe('access-1')
    expect(portal.tokenRequests).toHaveLength(1)
  })

  it('is used until it is rejected when the server names no end', async () => {
    const { session, clock } = await setUp(() => issued('access-1', { expires_in: undefined }))
    await session.logIn()
    clock.now += 1000 * hour
    expect(await session.accessToken()).toBe('access-1')
  })

  it('that is rejected takes all tokens with it, and no refresh is tried', async () => {
    const { session, newSession, portal, secretStore } = await setUp()
    await session.logIn()
    await session.discardRejected('access-1')
    expect([...secretStore.secrets.values()]).toEqual([ended])
    for (const each of [session, newSession()]) {
      expect(await rejection(each.accessToken())).toMatchObject({ code: 'oauth/login-required' })
    }
    expect(portal.tokenRequests).toHaveLength(1)
  })

  it('that is newer than the rejected one stays', async () => {
    const { session, newSession, portal } = await setUp()
    await session.logIn()
    portal.answer = () => issued('access-2')
    await newSession().logIn()
    await session.discardRejected('access-1')
    expect(await session.accessToken()).toBe('access-2')
  })
})

describe('an expired access token', () => {
  it('is refreshed unseen, and the new one kept', async () => {
    const { session, newSession, portal, clock, stored } = await setUpExpired(() =>
      issued('access-2', { refresh_token: 'refresh-2' }),
    )
    expect(await session.accessToken()).toBe('access-2')
    expect(Object.fromEntries(portal.tokenRequests[0]?.form ?? [])).toMatchObject({
      grant_type: 'refresh_token',
      refresh_token: 'refresh-1',
    })
    expect(stored()).toEqual({
      login: 'login-1',
      accessToken: 'access-2',
      refreshToken: 'refresh-2',
      obtainedAt: clock.now,
      expiresAt: clock.now + hour,
    })
    expect(await newSession().accessToken()).toBe('access-2')
  })

  it('keeps the old refresh token when no new one comes', async () => {
    const { session, stored } = await setUpExpired(() => issued('access-2', { refresh_token: undefined }))
    expect(await session.accessToken()).toBe('access-2')
    expect(stored()).toMatchObject({ accessToken: 'access-2', refreshToken: 'refresh-1' })
  })

  it('is refreshed once for all who wait', async () => {
    const { session, portal } = await setUpExpired(() => issued('access-2'))
    const tokens = await Promise.all(Array.from({ length: 10 }, () => session.accessToken()))
    expect(new Set(tokens)).toEqual(new Set(['access-2']))
    expect(portal.tokenRequests).toHaveLength(1)
  })

  it('is not refreshed when another process has done so', async () => {
    const { session, newSession, portal } = await setUpExpired(() => issued('access-2'))
    await newSession().accessToken()
    expect(await session.accessToken()).toBe('access-2')
    expect(portal.tokenRequests).toHaveLength(1)
  })

  it.each([
    ['refused', () => refused(400, 'invalid_grant')],
    ['refused because the client is gone', () => refused(401, 'invalid_client')],
    [
      'refused by a challenge',
      () => ({ status: 401, headers: { 'www-authenticate': 'Basic realm="x"' }, body: '' }),
    ],
  ])('whose refresh is %s takes all tokens with it', async (_name, answer) => {
    const { session, secretStore } = await setUpExpired(answer)
    const errors = await Promise.all([session.accessToken(), session.accessToken()].map(rejection))
    for (const error of errors) expect(error).toMatchObject({ code: 'oauth/login-required' })
    expect([...secretStore.secrets.values()]).toEqual([ended])
    expect(await session.signedIn()).toBe(false)
  })

  it('takes all tokens with it where there is no refresh token', async () => {
    const { session, clock, portal, secretStore } = await setUp(() =>
      issued('access-1', { refresh_token: undefined }),
    )
    await session.logIn()
    clock.now += hour
    expect(await rejection(session.accessToken())).toMatchObject({ code: 'oauth/login-required' })
    expect(portal.tokenRequests).toHaveLength(1)
    expect([...secretStore.secrets.values()]).toEqual([ended])
  })

  it.each([
    ['the server has a problem', () => refused(500, 'server_error'), 'oauth/server-error'],
    ['the server is busy', () => ({ status: 429, body: '' }), 'oauth/server-error'],
    ['the answer makes no sense', () => ({ body: '<html>' }), 'oauth/invalid-token-response'],
  ])('keeps all tokens when %s', async (_name, answer, code) => {
    const { session, portal } = await setUpExpired(answer)
    expect(await rejection(session.accessToken())).toMatchObject({ code })
    expect(await session.signedIn()).toBe(true)
    portal.answer = () => issued('access-2')
    expect(await session.accessToken()).toBe('access-2')
  })

  it('keeps all tokens when there is no network', async () => {
    const { session, newSession } = await setUpExpired(() => issued('access-2'))
    const cause = Object.assign(new Error('x'), { code: 'ENETUNREACH' })
    const offline = newSession({
      http: createHttpClient({ fetch: () => Promise.reject(new TypeError('fetch failed', { cause })) }),
    })
    expect(await rejection(offline.accessToken())).toMatchObject({ code: 'http/unreachable' })
    expect(await session.accessToken()).toBe('access-2')
  })

  it('is not thrown away by a rejection while it is being refreshed', async () => {
    const { opened, open } = gate()
    const { session } = await setUpExpired(async () => {
      await opened
      return issued('access-2')
    })
    const refreshed = session.accessToken()
    await session.discardRejected('access-1')
    open()
    expect(await refreshed).toBe('access-2')
    expect(await session.signedIn()).toBe(true)
  })

  it('lets one caller give up without failing the others', async () => {
    const { opened, open } = gate()
    const giveUp = new AbortController()
    const { session, portal } = await setUpExpired(async () => {
      giveUp.abort()
      await opened
      return issued('access-2')
    })
    const [first, second] = [session.accessToken(giveUp.signal), session.accessToken()]
    expect(await rejection(first)).toMatchObject({ code: 'http/cancelled' })
    open()
    expect(await second).toBe('access-2')
    expect(portal.tokenRequests).toHaveLength(1)
  })

  it('keeps what another process has put in its place while the server refused it', async () => {
    const { session, newSession, portal } = await setUpExpired(() => refused(400, 'invalid_grant'))
    const other = newSession()
    portal.answer = async ({ form }) => {
      if (form.get('grant_type') === 'authorization_code') return issued('access-other')
      await other.logIn()
      return refused(400, 'invalid_grant')
    }
    expect(await session.accessToken()).toBe('access-other')
  })
})

describe('logging out', () => {
  it('leaves nothing in the key store', async () => {
    const { session, secretStore } = await setUp()
    await session.logIn()
    await session.logOut()
    expect(secretStore.secrets.size).toBe(0)
    expect(await session.signedIn()).toBe(false)
  })

  it('is not undone by a refresh that was under way', async () => {
    const setting = await setUpExpired(async () => {
      await setting.session.logOut()
      return issued('access-2')
    })
    expect(await rejection(setting.session.accessToken())).toMatchObject({ code: 'oauth/login-required' })
    expect(setting.secretStore.secrets.size).toBe(0)
  })
})

describe('logging in', () => {
  it('opens the browser once for all who wait', async () => {
    let opened = 0
    const { session, portal } = await setUp(undefined, {
      openBrowser: async (url) => {
        opened += 1
        await browserThat()(url)
      },
    })
    await Promise.all([session.logIn(), session.logIn(), session.logIn()])
    expect(opened).toBe(1)
    expect(portal.tokenRequests).toHaveLength(1)
  })

  it('goes on until everyone who waits has cancelled', async () => {
    const addresses: URL[] = []
    const { opened, open } = gate()
    const { session } = await setUp(undefined, {
      openBrowser: (url) => {
        addresses.push(url)
        open()
        return Promise.resolve()
      },
    })
    const [one, two] = [new AbortController(), new AbortController()]
    const [first, second] = [session.logIn(one.signal), session.logIn(two.signal)]
    await opened
    one.abort()
    expect(await rejection(first)).toMatchObject({ code: 'oauth/cancelled' })
    for (const url of addresses)
      expect((await fetch(redirectOf(await authorizationAt(url)))).status).toBe(200)
    await second
    expect(await session.accessToken()).toBe('access-1')
  })

  it('can be started again after it was cancelled', async () => {
    const { opened, open } = gate()
    const browsers: OpenBrowser[] = [
      () => {
        open()
        return Promise.resolve()
      },
      browserThat(),
    ]
    const { session } = await setUp(undefined, {
      openBrowser: (url) => browsers.shift()?.(url) ?? Promise.reject(new Error('not expected')),
    })
    const cancel = new AbortController()
    const login = session.logIn(cancel.signal)
    await opened
    cancel.abort()
    expect(await rejection(login)).toMatchObject({ code: 'oauth/cancelled' })
    await session.logIn()
    expect(await session.signedIn()).toBe(true)
  })

  it.each([
    [{ code: null }, 'oauth/invalid-callback'],
    [{ code: null, error: 'access_denied' }, 'oauth/access-denied'],
  ])('that fails leaves the tokens that are there: %j', async (answer, code) => {
    const { session, newSession } = await setUp()
    await session.logIn()
    const failing = newSession({ openBrowser: browserThat(answer) })
    expect(await rejection(failing.logIn())).toMatchObject({ code })
    expect(await failing.accessToken()).toBe('access-1')
  })

  it('takes the place of a refresh that was under way', async () => {
    const setting = await setUpExpired(async ({ form }) => {
      if (form.get('grant_type') === 'authorization_code') return issued('access-login')
      await setting.session.logIn()
      return issued('access-refreshed')
    })
    expect(await setting.session.accessToken()).toBe('access-login')
    expect(setting.stored()).toMatchObject({ accessToken: 'access-login' })
  })
})

describe('what is kept of a login', () => {
  it('is forgotten at every login before its tokens are kept, and at a logout', async () => {
    const { session, forgotten, stored } = await setUp(undefined, {
      forgetGrants: () => Promise.resolve(),
      forgetLogin: (replaced) => {
        events.push([replaced, stored()])
        return Promise.resolve()
      },
    })
    const events: unknown[] = []
    await session.logIn()
    await session.logIn()
    await session.logOut()
    await session.logIn()
    expect(forgotten).toEqual([])
    expect(events).toEqual([
      [false, undefined],
      [true, expect.objectContaining({ login: 'login-1' })],
      [true, undefined],
      [false, undefined],
    ])
  })

  it('is that of somebody before, where a login has ended by itself', async () => {
    const { session, forgotten } = await setUp()
    await session.logIn()
    await session.discardRejected('access-1')
    await session.logIn()
    expect(forgotten).toEqual([false, true])
  })

  it('stays at a refresh', async () => {
    const { session, forgotten, stored } = await setUpExpired(() => issued('access-2'))
    await session.accessToken()
    expect(forgotten).toEqual([false])
    expect(stored()).toMatchObject({ login: 'login-1', accessToken: 'access-2' })
  })

  it('keeps new tokens away where it cannot be forgotten', async () => {
    const { session, newSession, stored } = await setUp()
    await session.logIn()
    const failing = newSession({ forgetLogin: () => Promise.reject(new Error('no')) })
    await expect(failing.logIn()).rejects.toThrow('no')
    expect(stored()).toMatchObject({ login: 'login-1' })
  })

  it('is forgotten at a logout also where the tokens cannot be deleted', async () => {
    const { session, secretStore, forgotten } = await setUp()
    await session.logIn()
    secretStore.locked = true
    expect(await rejection(session.logOut())).toMatchObject({ code: 'secret-store/locked' })
    expect(forgotten).toEqual([false, true])
  })

  it('is kept for the login that there is, and for none before it or after it', async () => {
    const { session, newSession } = await setUp()
    await session.logIn()
    const login = await session.login()
    let kept = 0
    const keep = () => {
      kept += 1
      return Promise.resolve()
    }
    await session.keepFor(login, keep)
    expect(kept).toBe(1)
    await newSession().logIn()
    expect(await rejection(session.keepFor(login, keep))).toMatchObject({ code: 'oauth/login-required' })
    expect(await session.login()).not.toBe(login)
    await newSession().logOut()
    expect(await rejection(session.login())).toMatchObject({ code: 'oauth/login-required' })
    expect(kept).toBe(1)
  })
})

describe('another process', () => {
  it('that logs in or out is noticed at the next call', async () => {
    const { session, newSession, portal } = await setUp()
    await session.logIn()
    portal.answer = () => issued('access-2')
    await newSession().logIn()
    expect(await session.accessToken()).toBe('access-2')
    await newSession().logOut()
    expect(await session.signedIn()).toBe(false)
    expect(await rejection(session.accessToken())).toMatchObject({ code: 'oauth/login-required' })
  })

  it('that logs in at the same time opens the only browser', async () => {
    const { opened, open } = gate()
    let browsers = 0
    const openBrowser: OpenBrowser = async (url) => {
      browsers += 1
      await opened
      await browserThat()(url)
    }
    const { session, newSession, portal } = await setUp(undefined, { openBrowser })
    const logins = [session.logIn(), newSession().logIn(), newSession().logIn()]
    open()
    await Promise.all(logins)
    expect([browsers, portal.tokenRequests.length]).toEqual([1, 1])
    expect(await session.accessToken()).toBe('access-1')
  })

  it('whose login is cancelled leaves the browser to the next one', async () => {
    const { opened, open } = gate()
    const cancel = new AbortController()
    const { newSession } = await setUp()
    const first = newSession({
      openBrowser: () => {
        open()
        return Promise.resolve()
      },
    }).logIn(cancel.signal)
    await opened
    const second = newSession()
    const waiting = second.logIn()
    cancel.abort()
    expect(await rejection(first)).toMatchObject({ code: 'oauth/cancelled' })
    await waiting
    expect(await second.signedIn()).toBe(true)
  })
})

describe('a locked key store', () => {
  it('is reported as such, by every use of it', async () => {
    const { session, secretStore, portal } = await setUp()
    secretStore.locked = true
    const uses = [
      () => session.signedIn(),
      () => session.accessToken(),
      () => session.logIn(),
      () => session.logOut(),
    ]
    for (const use of uses) expect(await rejection(use())).toMatchObject({ code: 'secret-store/locked' })
    expect(portal.tokenRequests).toHaveLength(0)
    secretStore.locked = false
    expect(await session.signedIn()).toBe(false)
  })

  it('does not lose what the server has just issued', async () => {
    const setting = await setUpExpired(() => {
      setting.secretStore.locked = true
      return issued('access-2', { refresh_token: 'refresh-2' })
    })
    expect(await rejection(setting.session.accessToken())).toMatchObject({ code: 'secret-store/locked' })
    expect(await setting.session.accessToken()).toBe('access-2')
  })
})
