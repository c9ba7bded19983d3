import { describe, expect, it } from 'vitest'
import { CausewayError } from '../../errors'
import { rejection } from '../../platform/http/test-server.testing'
import { InstanceTokenSession } from './instance-token-session'
import type { InstanceTokenSessionOptions } from './token-session-options'
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
import { testReporter } from '../../reporter.testing'

const hour = 3_600_000
/** The content of the key store after a login has ended. */
const ended = '{"ended":true}'

interface Setting {
  readonly portal: TestPortal
  readonly secretStore: MemorySecretStore
  readonly clock: { now: number }
  /** Returns a session with the same key store, like that of another process. */
  readonly newSession: (more?: Partial<InstanceTokenSessionOptions>) => InstanceTokenSession
  readonly session: InstanceTokenSession
  readonly stored: () => unknown
  /** An entry for each deletion of the data of a login. */
  readonly forgotten: readonly boolean[]
  readonly notices: readonly unknown[]
}

async function setUp(
  answer?: AnswerToken,
  more: Partial<InstanceTokenSessionOptions> = {},
): Promise<Setting> {
  const portal = await startPortal(answer)
  const secretStore = new MemorySecretStore()
  const clock = { now: 1_800_000_000_000 }
  const forgotten: boolean[] = []
  const notices: unknown[] = []
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
      hasSentIssuer: () => Promise.resolve(false),
      onIssuerSent: () => Promise.resolve(),
      knowsOthers: () => Promise.resolve(false),
      newLogin: () => `login-${(logins += 1)}`,
      whileUnused: (work) => work(),
      delay: () => Promise.resolve(),
      reporter: testReporter({ notice: (notice) => notices.push(notice) }),
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
  return {
    portal,
    secretStore,
    clock,
    newSession,
    session: newSession(),
    stored,
    forgotten,
    notices,
  }
}

/** Returns a session that logged in more than an hour ago, so that its access token is expired. */
async function setUpExpired(answer: AnswerToken): Promise<Setting> {
  const setting = await setUp()
  await setting.session.logIn()
  setting.portal.tokenRequests.length = 0
  setting.portal.answer = answer
  setting.clock.now += hour
  return setting
}

/** Returns an answer that a test releases when it likes. */
function gate(): { opened: Promise<void>; open: () => void } {
  let open = (): void => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

describe('without a login', () => {
  it('throws that a login is needed, without a request', async () => {
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

  it('treats a damaged key store entry as missing and replaces it at the next login', async () => {
    const { session, secretStore, portal, notices } = await setUp(undefined)
    secretStore.secrets.set(`tokens:${portal.instance.id}`, '{')
    expect(await session.signedIn()).toBe(false)
    await session.logIn()
    expect(await session.accessToken()).toBe('access-1')
    expect(notices).toMatchObject([{ code: 'data/damaged', variant: 'tokens' }])
  })
})

describe('an unexpired access token', () => {
  it('is used without a refresh, also after a restart', async () => {
    const { session, newSession, portal, clock } = await setUp()
    await session.logIn()
    clock.now += hour - 31_000
    expect(await session.accessToken()).toBe('access-1')
    expect(await newSession().signedIn()).toBe(true)
    expect(await newSession().accessToken()).toBe('access-1')
    expect(portal.tokenRequests).toHaveLength(1)
  })

  it('is used until it is rejected if the server sends no expiry', async () => {
    const { session, clock } = await setUp(() => issued('access-1', { expires_in: undefined }))
    await session.logIn()
    clock.now += 1000 * hour
    expect(await session.accessToken()).toBe('access-1')
  })

  it('deletes all tokens when it is rejected, without a refresh', async () => {
    const { session, newSession, portal, secretStore } = await setUp()
    await session.logIn()
    await session.discardRejected('access-1')
    expect([...secretStore.secrets.values()]).toEqual([ended])
    for (const each of [session, newSession()]) {
      expect(await rejection(each.accessToken())).toMatchObject({ code: 'oauth/login-required' })
    }
    expect(portal.tokenRequests).toHaveLength(1)
  })

  it('is kept if it is newer than the rejected one', async () => {
    const { session, newSession, portal } = await setUp()
    await session.logIn()
    portal.answer = () => issued('access-2')
    await newSession().logIn()
    await session.discardRejected('access-1')
    expect(await session.accessToken()).toBe('access-2')
  })
})

describe('an expired access token', () => {
  it('is refreshed once, also by another process while the discovery of this one takes long', async () => {
    const { newSession, portal } = await setUpExpired(() => issued('access-2'))
    const found = gate()
    const slow = newSession({
      endpoints: async () => {
        await found.opened
        return portal.endpoints
      },
    }).accessToken()
    expect(await newSession().accessToken()).toBe('access-2')
    found.open()
    expect(await slow).toBe('access-2')
    expect(portal.tokenRequests).toHaveLength(1)
  }, 10_000)

  it('is refreshed without the user, and the new one is stored', async () => {
    const { session, newSession, portal, clock, stored } = await setUpExpired(() =>
      issued('access-2', { refresh_token: 'refresh-2' }),
    )
    expect(await session.accessToken()).toBe('access-2')
    expect(Object.fromEntries(portal.tokenRequests[0]?.form ?? [])).toMatchObject({
      grant_type: 'refresh_token',
      refresh_token: 'refresh-1',
    })
    expect(stored()).toEqual({
      apiVersion: 2,
      login: 'login-1',
      origins: {
        token: new URL(portal.endpoints.tokenEndpoint).origin,
        api: new URL(portal.endpoints.apiBaseUri).origin,
      },
      loggedInAt: 1_800_000_000_000,
      accessToken: 'access-2',
      refreshToken: 'refresh-2',
      obtainedAt: clock.now,
      refreshes: 1,
      expiresAt: clock.now + hour,
    })
    expect(await newSession().accessToken()).toBe('access-2')
  })

  it('is refreshed with the old refresh token kept if the answer has no new one', async () => {
    const { session, stored } = await setUpExpired(() => issued('access-2', { refresh_token: undefined }))
    expect(await session.accessToken()).toBe('access-2')
    expect(stored()).toMatchObject({ accessToken: 'access-2', refreshToken: 'refresh-1' })
  })

  it('is refreshed once for all concurrent callers', async () => {
    const { session, portal } = await setUpExpired(() => issued('access-2'))
    const tokens = await Promise.all(Array.from({ length: 10 }, () => session.accessToken()))
    expect(new Set(tokens)).toEqual(new Set(['access-2']))
    expect(portal.tokenRequests).toHaveLength(1)
  })

  it('is not refreshed if another process has done so', async () => {
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

  it('deletes all tokens if there is no refresh token', async () => {
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
    ['the server is busy', () => ({ status: 429, body: '' }), 'service/busy'],
    ['the answer makes no sense', () => ({ body: '<html>' }), 'oauth/invalid-token-response'],
  ])('keeps all tokens when %s', async (_name, answer, code) => {
    const { session, portal } = await setUpExpired(answer)
    expect(await rejection(session.accessToken())).toMatchObject({ code })
    expect(await session.signedIn()).toBe(true)
    portal.answer = () => issued('access-2')
    expect(await session.accessToken()).toBe('access-2')
  })

  it('keeps all tokens without a network', async () => {
    const { session, newSession } = await setUpExpired(() => issued('access-2'))
    const unreachable = new CausewayError('http/unreachable', { details: { host: 'x', reason: 'no-route' } })
    const offline = newSession({ http: { send: () => Promise.reject(unreachable) } })
    expect(await rejection(offline.accessToken())).toMatchObject({ code: 'http/unreachable' })
    expect(await session.accessToken()).toBe('access-2')
  })

  it('is not deleted after a rejection while it is being refreshed', async () => {
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

  it('lets one caller cancel without failing the others', async () => {
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

  it('keeps tokens of another process that replaced it while the server refused it', async () => {
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

it('never uses up a refresh token twice where the clock was set back between two processes', async () => {
  const setting = await setUp()
  const { session, newSession, portal, clock } = setting
  await session.logIn()
  const other = newSession()
  expect(await other.accessToken()).toBe('access-1')
  let count = 1
  portal.tokenRequests.length = 0
  portal.answer = () => {
    count += 1
    return issued(`access-${count}`, { refresh_token: `refresh-${count}` })
  }
  clock.now -= 24 * hour
  expect(await session.accessToken()).toBe('access-2')
  expect(await other.accessToken()).toBe('access-2')
  clock.now += hour
  expect(await other.accessToken()).toBe('access-3')
  expect(portal.tokenRequests.map(({ form }) => form.get('refresh_token'))).toEqual([
    'refresh-1',
    'refresh-2',
  ])
})

describe('logging out', () => {
  it('leaves nothing in the key store', async () => {
    const { session, secretStore } = await setUp()
    await session.logIn()
    await session.logOut()
    expect(secretStore.secrets.size).toBe(0)
    expect(await session.signedIn()).toBe(false)
  })

  it('is not undone by a running refresh', async () => {
    const setting = await setUpExpired(async () => {
      await setting.session.logOut()
      return issued('access-2')
    })
    expect(await rejection(setting.session.accessToken())).toMatchObject({ code: 'oauth/login-required' })
    expect(setting.secretStore.secrets.size).toBe(0)
  })
})

describe('logging in', () => {
  it('opens the browser once for all concurrent callers', async () => {
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

  it('continues until all callers have cancelled', async () => {
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

  it('replaces a running refresh', async () => {
    const setting = await setUpExpired(async ({ form }) => {
      if (form.get('grant_type') === 'authorization_code') return issued('access-login')
      await setting.session.logIn()
      return issued('access-refreshed')
    })
    expect(await setting.session.accessToken()).toBe('access-login')
    expect(setting.stored()).toMatchObject({ accessToken: 'access-login' })
  })
})

describe('the stored data of a login', () => {
  it('is deleted at every login before the tokens are stored, and at a logout', async () => {
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

  it('counts as replaced after a login that expired', async () => {
    const { session, forgotten } = await setUp()
    await session.logIn()
    await session.discardRejected('access-1')
    await session.logIn()
    expect(forgotten).toEqual([false, true])
  })

  it('is kept at a refresh', async () => {
    const { session, forgotten, stored } = await setUpExpired(() => issued('access-2'))
    await session.accessToken()
    expect(forgotten).toEqual([false])
    expect(stored()).toMatchObject({ login: 'login-1', accessToken: 'access-2' })
  })

  it('prevents new tokens from being stored if it cannot be deleted', async () => {
    const { session, newSession, stored } = await setUp()
    await session.logIn()
    const failing = newSession({ forgetLogin: () => Promise.reject(new Error('no')) })
    await expect(failing.logIn()).rejects.toThrow('no')
    expect(stored()).toMatchObject({ login: 'login-1' })
  })

  it('is deleted at a logout even if the tokens cannot be deleted', async () => {
    const { session, secretStore, forgotten } = await setUp()
    await session.logIn()
    secretStore.locked = true
    expect(await rejection(session.logOut())).toMatchObject({ code: 'secret-store/locked' })
    expect(forgotten).toEqual([false, true])
  })

  it('is stored only for the current login, not for an earlier or later one', async () => {
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
  it('changes the login for the next call when it logs in or out', async () => {
    const { session, newSession, portal } = await setUp()
    await session.logIn()
    portal.answer = () => issued('access-2')
    await newSession().logIn()
    expect(await session.accessToken()).toBe('access-2')
    await newSession().logOut()
    expect(await session.signedIn()).toBe(false)
    expect(await rejection(session.accessToken())).toMatchObject({ code: 'oauth/login-required' })
  })

  it('opens the only browser when it logs in at the same time', async () => {
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

  it('leaves the browser to the next login when its own is cancelled', async () => {
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

it.each([1, 2])(
  'does not replace tokens that another process has refreshed %i times since',
  async (times) => {
    const { newSession, portal, clock, secretStore, stored } = await setUp()
    await newSession().logIn()
    let issues = 1
    const answer = () => issued(`access-${(issues += 1)}`)
    const later = gate()
    let stores = 0
    const late = newSession({
      delay: (milliseconds) => (milliseconds < 10_000 ? Promise.resolve() : later.opened),
      alone: async (kind, work) => {
        const result = await work()
        if (kind === 'change') stores += 1
        return result
      },
    })
    portal.answer = () => {
      secretStore.locked = true
      return answer()
    }
    clock.now += 2 * hour
    expect(await rejection(late.accessToken())).toMatchObject({ code: 'secret-store/locked' })
    secretStore.locked = false
    portal.answer = answer
    const other = newSession()
    for (let time = 0; time < times; time += 1) {
      clock.now += 2 * hour
      await other.accessToken()
    }
    later.open()
    await expect.poll(() => stores).toBe(1)
    const newest = `access-${times + 2}`
    expect(stored()).toMatchObject({ accessToken: newest })
    expect(await late.accessToken()).toBe(newest)
  },
)

describe('a locked key store', () => {
  it('is reported by every method', async () => {
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

  it('does not lose newly issued tokens', async () => {
    const setting = await setUpExpired(() => {
      setting.secretStore.locked = true
      return issued('access-2', { refresh_token: 'refresh-2' })
    })
    expect(await rejection(setting.session.accessToken())).toMatchObject({ code: 'secret-store/locked' })
    expect(await setting.session.accessToken()).toBe('access-2')
  })
})

it.each([404, 410])('looks for the endpoints again where the token endpoint answers %i', async (status) => {
  const { session, newSession, portal, clock } = await setUp()
  await session.logIn()
  clock.now += hour
  portal.answer = () => ({ status, body: {} })
  let looked = 0
  const other = newSession({
    endpoints: () => Promise.resolve({ ...portal.endpoints, apiVersion: looked === 0 ? 2 : 3 }),
    expireEndpoints: () => {
      looked += 1
      return Promise.resolve()
    },
  })
  expect(await rejection(other.accessToken())).toMatchObject({ code: 'oauth/login-required' })
  expect(looked).toBe(1)
})

it('keeps the login where the token endpoint is gone, but the portal has not moved', async () => {
  const { session, stored } = await setUpExpired(() => ({ status: 404, body: {} }))
  expect(await rejection(session.accessToken())).toMatchObject({ code: 'oauth/server-error' })
  expect(stored()).toMatchObject({ accessToken: 'access-1' })
})

describe('tokens of version 3', () => {
  /** A portal with single-use refresh tokens; each refresh gives the next number. */
  function rotating(): AnswerToken {
    let current = 1
    return ({ form }) => {
      if (form.get('grant_type') !== 'refresh_token') return issued('access-1')
      if (form.get('refresh_token') !== `refresh-${current}`) return refused(400, 'invalid_grant')
      current += 1
      return issued(`access-${current}`, { refresh_token: `refresh-${current}` })
    }
  }

  async function setUp3(answer = rotating()): Promise<Setting> {
    const setting = await setUp(answer)
    Object.assign(setting.portal.endpoints, { apiVersion: 3 })
    await setting.session.logIn()
    return setting
  }

  it.each([
    [3, true],
    [2, undefined],
  ] as const)('of version %i come over TLS 1.3: %s', async (apiVersion, expected) => {
    const { newSession, portal, clock } = await setUp(rotating())
    Object.assign(portal.endpoints, { apiVersion })
    const tls13: unknown[] = []
    const session = newSession({
      http: {
        send: (url, request) => {
          tls13.push(request?.tls13)
          return portal.http.send(url, request)
        },
      },
    })
    await session.logIn()
    clock.now += 2 * hour
    await session.accessToken()
    // Twice before the browser opens, for the code, and for the refresh.
    expect(tls13).toEqual([expected, expected, expected, expected])
  })

  it('are stored with their version and the time of the login, which a refresh keeps', async () => {
    const { session, clock, stored } = await setUp3()
    const loggedInAt = clock.now
    clock.now += 2 * hour
    await session.accessToken()
    expect(stored()).toMatchObject({ apiVersion: 3, loggedInAt, accessToken: 'access-2' })
    expect(await session.loginTime()).toEqual({ login: 'login-1', loggedInAt: new Date(loggedInAt) })
  })

  it('are refreshed once after a rejected access token, also for another process', async () => {
    const { session, newSession, portal } = await setUp3()
    const other = newSession()
    expect(await other.accessToken()).toBe('access-1')
    await Promise.all([session.expire('access-1'), other.expire('access-1')])
    expect(await Promise.all([session.accessToken(), other.accessToken()])).toEqual(['access-2', 'access-2'])
    expect(portal.tokenRequests).toHaveLength(2)
  })

  it('stay as they are if a newer token has replaced the rejected one', async () => {
    const { session, portal } = await setUp3()
    await session.expire('access-0')
    expect(await session.accessToken()).toBe('access-1')
    expect(portal.tokenRequests).toHaveLength(1)
  })

  it('are stored before the new access token is used', async () => {
    const { session, clock, secretStore } = await setUp3()
    clock.now += 2 * hour
    const token = await session.accessToken()
    expect([...secretStore.secrets.values()].join()).toContain(token)
  })

  it('require only a new login after a crash between the answer and storing it', async () => {
    const { newSession, clock, secretStore, portal } = await setUp3()
    clock.now += 2 * hour
    const before = new Map(secretStore.secrets)
    // This process refreshes and ends before it stores the answer.
    await newSession().accessToken()
    for (const [account, secret] of before) secretStore.secrets.set(account, secret)

    const session = newSession()
    expect(await rejection(session.accessToken())).toMatchObject({ code: 'oauth/login-required' })
    portal.answer = rotating()
    await session.logIn()
    expect(await session.accessToken()).toBe('access-1')
  })

  it('are kept in memory while the key store cannot be written, and refreshed from there', async () => {
    const setting = await setUp3()
    const { session, clock, portal, secretStore } = setting
    const answer = portal.answer
    portal.answer = (request) => {
      secretStore.locked = true
      return answer(request)
    }
    clock.now += 2 * hour
    expect(await rejection(session.accessToken())).toMatchObject({ code: 'secret-store/locked' })
    secretStore.locked = false
    portal.answer = answer
    clock.now += 2 * hour
    expect(await session.accessToken()).toBe('access-3')
  })

  /** A session whose key store fails from the answer to a refresh until the pause of this length. */
  async function setUpFailing(until: number) {
    const setting = await setUp3()
    const { newSession, clock, portal, secretStore } = setting
    const { answer } = portal
    portal.answer = (request) => {
      secretStore.locked = true
      return answer(request)
    }
    const pauses: number[] = []
    const other = newSession({
      delay: (milliseconds) => {
        pauses.push(milliseconds)
        secretStore.locked = milliseconds !== until
        return Promise.resolve()
      },
    })
    clock.now += 2 * hour
    return { ...setting, other, pauses }
  }

  it('are stored in another attempt before they are used', async () => {
    const { other, pauses, stored } = await setUpFailing(500)
    expect(await other.accessToken()).toBe('access-2')
    expect(stored()).toMatchObject({ accessToken: 'access-2', refreshToken: 'refresh-2' })
    expect(pauses).toEqual([500])
  })

  it('are stored later if the key store works again, without another refresh', async () => {
    const { other, newSession, portal, secretStore, stored, notices } = await setUpFailing(10_000)
    expect(await rejection(other.accessToken())).toMatchObject({ code: 'secret-store/locked' })
    await expect.poll(() => secretStore.locked).toBe(false)
    await expect.poll(stored).toMatchObject({ accessToken: 'access-2' })
    // Another process doesn't use the refresh token that is spent.
    expect(await newSession().accessToken()).toBe('access-2')
    expect(portal.tokenRequests).toHaveLength(2)
    expect(notices).toEqual([])
  })

  it('are reported after the last attempt to store them, and still used', async () => {
    const { other, pauses, notices } = await setUpFailing(Infinity)
    expect(await rejection(other.accessToken())).toMatchObject({ code: 'secret-store/locked' })
    await expect
      .poll(() => notices)
      .toMatchObject([{ code: 'session/not-stored', details: { problem: 'secret-store/locked' } }])
    expect(pauses).toEqual([500, 2000, 10_000, 30_000, 120_000])
    expect(await other.accessToken()).toBe('access-2')
  })

  it('of a later refresh are not replaced by earlier ones that are stored late', async () => {
    const { newSession, portal, clock, secretStore, stored } = await setUp3()
    const { answer } = portal
    const later = gate()
    const session = newSession({
      delay: (milliseconds) => (milliseconds < 10_000 ? Promise.resolve() : later.opened),
    })
    for (const number of [2, 3]) {
      clock.now += 2 * hour
      portal.answer = (request) => {
        secretStore.locked = true
        return answer(request)
      }
      expect(await rejection(session.accessToken())).toMatchObject({ code: 'secret-store/locked' })
      secretStore.locked = false
      expect(await session.accessToken()).toBe(`access-${number}`)
    }
    later.open()
    await expect.poll(stored).toMatchObject({ accessToken: 'access-3', refreshToken: 'refresh-3' })
    expect(await session.accessToken()).toBe('access-3')
  })

  it('are not replaced by another login while they are in use', async () => {
    const inUse = new CausewayError('connection/held-by-other')
    const { newSession, portal } = await setUp3()
    const visits: URL[] = []
    const session = newSession({
      whileUnused: () => Promise.reject(inUse),
      openBrowser: (url) => {
        visits.push(url)
        return Promise.resolve()
      },
    })
    await expect(session.logIn()).rejects.toBe(inUse)
    expect(visits).toEqual([])
    expect(await session.accessToken()).toBe('access-1')
    expect(portal.tokenRequests).toHaveLength(1)
  })

  it('are not replaced if another process starts to use them while the browser is open', async () => {
    const inUse = new CausewayError('connection/held-by-other')
    let isInUse = false
    const { newSession } = await setUp3()
    const approve = browserThat()
    const session = newSession({
      whileUnused: (work) => (isInUse ? Promise.reject(inUse) : work()),
      openBrowser: (url) => {
        isInUse = true
        return approve(url)
      },
    })
    await expect(session.logIn()).rejects.toBe(inUse)
    expect(await session.accessToken()).toBe('access-1')
  })

  it('are replaced only while no process can start to use them', async () => {
    const { newSession, stored } = await setUp3()
    const replaced: unknown[] = []
    const session = newSession({
      whileUnused: async (work) => {
        replaced.push(stored())
        await work()
        replaced.push(stored())
      },
    })
    await session.logIn()
    const [login1, login2] = ['login-1', 'login-2'].map(
      (login) => expect.objectContaining({ login }) as unknown,
    )
    // The first look is before the browser opens.
    expect(replaced).toEqual([login1, login1, login1, login2])
  })

  it.each([
    [400, 'invalid_request'],
    [401, 'invalid_client'],
    [400, 'temporarily_unavailable'],
  ])('stay when a refresh fails with status %i and %s', async (status, error) => {
    const { session, portal, clock } = await setUp3()
    clock.now += 2 * hour
    portal.answer = () => refused(status, error)
    expect(await rejection(session.accessToken())).toMatchObject({ code: 'oauth/server-error' })
    expect(await session.signedIn()).toBe(true)
  })

  it('end without a request when the portal has another version by now', async () => {
    const { session, portal, clock, stored } = await setUp3()
    Object.assign(portal.endpoints, { apiVersion: 2 })
    clock.now += 2 * hour
    expect(await rejection(session.accessToken())).toMatchObject({ code: 'oauth/login-required' })
    expect(portal.tokenRequests).toHaveLength(1)
    expect(JSON.stringify(stored())).toBe(ended)
  })

  it('are required to be of the version that the portal has', async () => {
    const { session } = await setUp3()
    await session.requireVersion(3)
    expect(await rejection(session.requireVersion(2))).toMatchObject({ code: 'oauth/login-required' })
    expect(await session.signedIn()).toBe(false)
  })
})

describe('a service that names the portal of another one at the login, and its own servers afterwards', () => {
  it('gets no access token', async () => {
    const { session, newSession, stored } = await setUp()
    await session.logIn()
    const elsewhere = { apiBaseUri: 'https://other.example.org/api' }
    expect(await rejection(session.accessToken(undefined, elsewhere))).toMatchObject({
      code: 'oauth/login-required',
    })
    expect(stored()).toEqual(JSON.parse(ended))
    expect(await newSession().signedIn()).toBe(false)
  })

  it('gets no refresh token', async () => {
    const setting = await setUpExpired(() => issued('access-2'))
    const elsewhere = await startPortal(() => issued('access-2'))
    const { tokenEndpoint } = elsewhere.endpoints
    const session = setting.newSession({
      endpoints: () => Promise.resolve({ ...setting.portal.endpoints, tokenEndpoint }),
    })
    expect(await rejection(session.accessToken())).toMatchObject({ code: 'oauth/login-required' })
    expect(elsewhere.tokenRequests).toEqual([])
    expect(setting.stored()).toEqual(JSON.parse(ended))
  })
})

it('gives a location the token of the home', async () => {
  const { session } = await setUp()
  await session.logIn()
  const location = { apiBaseUri: 'https://location.example.org/api', loginElsewhere: true } as const
  expect(await session.accessToken(undefined, location)).toBe(await session.accessToken())
})
