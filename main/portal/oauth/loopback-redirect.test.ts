import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { CausewayError } from '../../errors'
import type { CallbackResult } from './callback'
import type { Connection, PeerUid } from './peer-uid'
import { listenForRedirect, type LoopbackRedirect } from './loopback-redirect'

const approve = (parameters: URLSearchParams): CallbackResult => ({ outcome: 'code', parameters })
const failWith = (code: 'oauth/access-denied' | 'oauth/issuer-mismatch') => (): CallbackResult => ({
  outcome: 'error',
  error: new CausewayError(code),
})

/** Undefined on Windows, where Causeway doesn't know the peer's user. */
const ownUid = process.getuid?.()
const ownPeer: PeerUid | undefined = ownUid === undefined ? undefined : () => Promise.resolve(ownUid)

async function listening(
  judge: (parameters: URLSearchParams) => CallbackResult = approve,
  peerUid: PeerUid | undefined = ownPeer,
): Promise<LoopbackRedirect> {
  const redirect = await listenForRedirect((parameters) => Promise.resolve(judge(parameters)), peerUid)
  onTestFinished(() => redirect.close())
  return redirect
}

/** Sends a request with any method, path and headers; returns its status. */
function ask(
  redirectUri: string,
  parts: { path?: string; method?: string; host?: string },
): Promise<number | undefined> {
  const { hostname, port } = new URL(redirectUri)
  return new Promise((resolve, reject) => {
    request(
      {
        hostname,
        port,
        path: parts.path ?? '/callback?code=c',
        method: parts.method ?? 'GET',
        agent: false,
        ...(parts.host === undefined ? {} : { headers: { host: parts.host } }),
      },
      (response) => {
        response.resume().on('end', () => {
          resolve(response.statusCode)
        })
      },
    )
      .on('error', reject)
      .end()
  })
}

describe('the redirect URI', () => {
  it('has a port that portals accept, another one each time', async () => {
    const uris = await Promise.all([listening(), listening()])
    for (const { redirectUri } of uris) {
      expect(redirectUri).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/)
      expect(Number(new URL(redirectUri).port)).toBeGreaterThanOrEqual(1024)
    }
    expect(new Set(uris.map(({ redirectUri }) => redirectUri)).size).toBe(2)
  })

  it('returns the parameters of the first request', async () => {
    const redirect = await listening()
    expect(await ask(redirect.redirectUri, { path: '/callback?code=a%20b&state=s' })).toBe(200)
    const result = await redirect.callback
    expect(result.outcome === 'code' && Object.fromEntries(result.parameters)).toEqual({
      code: 'a b',
      state: 's',
    })
  })

  it('answers a second request with another page and keeps the result of the first', async () => {
    const redirect = await listening()
    await ask(redirect.redirectUri, { path: '/callback?code=first' })
    const second = await fetch(`${redirect.redirectUri}?code=second`)
    expect(second.status).toBe(400)
    expect(await second.text()).toContain('already used')
    const result = await redirect.callback
    expect(result.outcome === 'code' && result.parameters.get('code')).toBe('first')
  })

  it('answers a callback that another one overtakes while it is judged', async () => {
    const [asked, judged] = [deferred<undefined>(), deferred<CallbackResult>()]
    const redirect = await listenForRedirect((parameters) => {
      if (parameters.get('code') === 'fast') return Promise.resolve(approve(parameters))
      asked.resolve(undefined)
      return judged.promise
    }, ownPeer)
    onTestFinished(() => redirect.close())
    const slow = ask(redirect.redirectUri, { path: '/callback?code=slow' })
    await asked.promise
    expect(await ask(redirect.redirectUri, { path: '/callback?code=fast' })).toBe(200)
    judged.resolve(approve(new URLSearchParams('code=slow')))
    expect(await slow).toBe(400)
    const result = await redirect.callback
    expect(result.outcome === 'code' && result.parameters.get('code')).toBe('fast')
  })

  it('counts also if the browser has gone while it was judged', async () => {
    const [asked, judged] = [deferred<undefined>(), deferred<CallbackResult>()]
    const redirect = await listenForRedirect(() => {
      asked.resolve(undefined)
      return judged.promise
    }, ownPeer)
    onTestFinished(() => redirect.close())
    const { hostname, port } = new URL(redirect.redirectUri)
    const gone = connect(Number(port), hostname)
    gone.write(`GET /callback?code=c HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`)
    await asked.promise
    gone.resetAndDestroy()
    // The server reads the connection's end before that of a later one.
    expect(await ask(redirect.redirectUri, { path: '/favicon.ico' })).toBe(404)
    judged.resolve(approve(new URLSearchParams('code=c')))
    const result = await redirect.callback
    expect(result.outcome === 'code' && result.parameters.get('code')).toBe('c')
  })

  it.each([
    ['the icon that browsers ask for', { path: '/favicon.ico' }, 404],
    ['another path', { path: '/callback/?code=c' }, 404],
    ['another path in disguise', { path: '//127.0.0.1/callback?code=c' }, 404],
    ['another method', { method: 'POST' }, 405],
    ['a question without reading', { method: 'HEAD' }, 405],
    ['a web page that made its own name point here', { host: 'evil.example' }, 400],
    ['the same machine by another name', { host: 'localhost' }, 400],
  ])('ignores %s', async (_name, parts, status) => {
    const redirect = await listening()
    expect(await ask(redirect.redirectUri, parts)).toBe(status)
    expect(await ask(redirect.redirectUri, { path: '/callback?code=real' })).toBe(200)
    const result = await redirect.callback
    expect(result.outcome === 'code' && result.parameters.get('code')).toBe('real')
  })

  it('closes its port and all connections', async () => {
    const redirect = await listenForRedirect((parameters) => Promise.resolve(approve(parameters)), undefined)
    const port = Number(new URL(redirect.redirectUri).port)
    const idle = connect(port, '127.0.0.1')
    await new Promise((resolve) => idle.once('connect', resolve))
    const ended = new Promise((resolve) => idle.once('close', resolve))
    idle.on('error', () => undefined).resume()
    await redirect.close()
    await ended
    await expect(ask(redirect.redirectUri, {})).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })
})

describe('the address for the command line of the browser', () => {
  const authorization = new URL('https://vpn.example.org/authorize?state=s')
  const visit = (address: URL): Promise<Response> => fetch(address, { redirect: 'manual' })

  it('contains no secret, and redirects to the login page each time', async () => {
    const redirect = await listening()
    const start = redirect.startAt(authorization)
    expect(start.origin).toBe(new URL(redirect.redirectUri).origin)
    expect(start.pathname).toMatch(/^\/start\/[\w-]{43}$/)
    expect(start.search + start.hash).toBe('')
    // If the peer's user is unknown, it works once.
    for (let time = 0; time < (ownUid === undefined ? 1 : 2); time += 1) {
      const page = await visit(start)
      expect(page.status).toBe(302)
      expect(Object.fromEntries(page.headers)).toMatchObject({
        location: authorization.href,
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
      })
    }
  })

  it('cannot be guessed', async () => {
    const [one, two] = await Promise.all([listening(), listening()])
    const start = one.startAt(authorization)
    expect(two.startAt(authorization).pathname).not.toBe(start.pathname)
    for (const path of ['/start', '/start/', `${start.pathname}/`, start.pathname.slice(0, -1)]) {
      expect(await ask(one.redirectUri, { path })).toBe(404)
    }
  })

  it('stops working after the callback', async () => {
    const redirect = await listening()
    const start = redirect.startAt(authorization)
    await ask(redirect.redirectUri, {})
    const page = await visit(start)
    expect(page.status).toBe(400)
    expect(page.headers.has('location')).toBe(false)
  })

  it('ends the login at its second use if the system cannot distinguish users', async () => {
    const redirect = await listenForRedirect((parameters) => Promise.resolve(approve(parameters)), undefined)
    onTestFinished(() => redirect.close())
    const start = redirect.startAt(authorization)
    expect((await visit(start)).status).toBe(302)
    expect(await ask(redirect.redirectUri, { path: start.pathname, method: 'HEAD' })).toBe(405)
    expect((await visit(start)).status).toBe(400)
    expect(await redirect.callback).toMatchObject({
      outcome: 'error',
      error: { code: 'oauth/authorization-failed', details: { reason: 'started-twice' } },
    })
  })
})

const otherPeer: PeerUid = () => Promise.resolve(Number(ownUid) + 1)

describe.skipIf(ownUid === undefined)('a program of another user', () => {
  it.each<[string, PeerUid]>([
    ['another user', otherPeer],
    ['nobody that the system knows', () => Promise.reject(new Error('The peer is in no table.'))],
    [
      'a connection that is gone',
      async (connection: Connection) => {
        await new Promise((resolve) => (connection as Socket).destroy().once('close', resolve))
        return Number(ownUid)
      },
    ],
  ])('is refused everything, and the login goes on: %s', async (_name, firstPeer) => {
    let peerUid: PeerUid = firstPeer
    const judged: string[] = []
    const redirect = await listening(
      (parameters) => {
        judged.push(String(parameters.get('code')))
        return approve(parameters)
      },
      (connection) => peerUid(connection),
    )
    const start = redirect.startAt(new URL('https://vpn.example.org/authorize?state=s'))
    for (const path of [start.pathname, '/callback?code=foreign', '/favicon.ico']) {
      const status = await ask(redirect.redirectUri, { path }).catch(() => 'no answer')
      expect(['no answer', 403]).toContain(status)
    }
    expect(judged).toEqual([])

    peerUid = () => Promise.resolve(Number(ownUid))
    expect(await ask(redirect.redirectUri, { path: '/callback?code=real' })).toBe(200)
    expect(judged).toEqual(['real'])
  })

  it('gets a page with the reason', async () => {
    const redirect = await listening(approve, otherPeer)
    const page = await fetch(`${redirect.redirectUri}?code=c`)
    expect(page.status).toBe(403)
    expect(await page.text()).toContain('<h1>This login belongs to another user</h1>')
  })

  it('can neither use up the file descriptors of Causeway nor keep the callback out', async () => {
    const redirect = await listening()
    const silent = await openConnections(redirect, 512)
    expect(await ask(redirect.redirectUri, {})).toBe(200)
    await silent.closed[0]
    expect(silent.firstOpen()).toBe(1)

    const more = await openConnections(redirect, 528)
    await Promise.all([...silent.closed, ...more.closed.slice(0, 16)])
    expect(more.firstOpen()).toBe(16)
  })

  it('cannot push out a request that is complete', async () => {
    const asked = deferred<undefined>()
    const known = deferred<number>()
    const redirect = await listening(approve, () => {
      asked.resolve(undefined)
      return known.promise
    })
    const status = ask(redirect.redirectUri, {})
    await asked.promise
    const { closed } = await openConnections(redirect, 513)
    await Promise.all(closed.slice(0, 2))
    known.resolve(Number(ownUid))
    expect(await status).toBe(200)
  })
})

/** Opens connections one after the other, every second one with a part of a request. */
async function openConnections({ redirectUri }: LoopbackRedirect, count: number) {
  const [sockets, closed]: [Socket[], Promise<unknown>[]] = [[], []]
  for (let index = 0; index < count; index += 1) {
    const socket = connect(Number(new URL(redirectUri).port), '127.0.0.1')
    onTestFinished(() => {
      socket.destroy()
    })
    socket.on('error', () => undefined).resume()
    closed.push(new Promise((resolve) => socket.once('close', resolve)))
    sockets.push(socket)
    await once(socket, 'connect')
    if (index % 2 === 1) socket.write('GET /callback?code=c HTTP/1.1\r\n')
  }
  return { closed, firstOpen: () => sockets.findIndex((socket) => !socket.closed) }
}

function deferred<T>() {
  let resolve: (value: T) => void = () => undefined
  const promise = new Promise<T>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}

describe('the page', () => {
  it.each([
    ['Approved', approve, 200],
    ['Access was denied', failWith('oauth/access-denied'), 200],
    ['The login failed', failWith('oauth/issuer-mismatch'), 400],
  ] as const)('says what happened: %s', async (title, judge, status) => {
    const redirect = await listening(judge)
    const page = await fetch(`${redirect.redirectUri}?code=secret-code&state=%3Cscript%3E`)
    const html = await page.text()
    expect(page.status).toBe(status)
    expect(html).toContain(`<h1>${title}</h1>`)
    expect(html).toContain('go back to Causeway')
    expect(html).not.toMatch(/secret-code|<script/)
  })

  it('loads and runs nothing, and does not leak the code', async () => {
    const redirect = await listening()
    const page = await fetch(`${redirect.redirectUri}?code=c`)
    const style = /<style>([^]*)<\/style>/.exec(await page.text())?.[1] ?? ''
    const hash = createHash('sha256').update(style).digest('base64')
    expect(Object.fromEntries(page.headers)).toMatchObject({
      'content-security-policy': `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      connection: 'close',
    })
  })
})
