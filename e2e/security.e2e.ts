import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { z } from 'zod'
import { appEnvironment, electronPath, switches } from './causeway-app'
import { expect, test } from './fixtures'
import { listenForWebRtc, tryWebRtc, webRtcTargets } from './web-rtc'

const netLog = z.object({
  constants: z.object({ logEventTypes: z.record(z.string(), z.number()) }),
  events: z.array(z.looseObject({ type: z.number() })),
})

const { step } = test

test('confines the page to its own files and the bridge', async ({ app, window, mock, folder }) => {
  const { page } = window

  await step('gives the page nothing but the bridge', async () => {
    const present = `['require', 'process', 'module', 'global', 'Buffer', 'ipcRenderer', 'electron']
      .filter((name) => typeof globalThis[name] !== 'undefined')`
    expect(await page.evaluate(present)).toEqual([])
    expect(await page.evaluate('Object.keys(window.causeway).sort()')).toEqual([
      'offerFiles',
      'onConnectionNews',
      'onStateChanged',
      'painted',
      'run',
      'state',
    ])
  })

  await step('serves a strict content security policy that blocks inline scripts', async () => {
    const policy = await app.electron.evaluate(async ({ net }) => {
      const answer = await net.fetch('app://causeway/index.html')
      return answer.headers.get('content-security-policy')
    })
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toMatch(/unsafe|https?:|\*/)

    await page.addInitScript(`
      window.refused = []
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
        window.refused.push(effectiveDirective)
      })`)
    await page.reload()
    // A view with all code that checks data, which the page itself must be able to load.
    await window.showSettings('Apps')
    await page.getByRole('heading', { name: 'Apps' }).waitFor()
    expect(await page.evaluate('window.refused')).toEqual([])

    await page.evaluate(`
      const script = document.createElement('script')
      script.textContent = 'window.ran = true'
      document.body.append(script)
      const handler = document.createElement('div')
      handler.innerHTML = '<img src="data:," onerror="window.ran = true">'
      document.body.append(handler)
      undefined`)
    await expect
      .poll(() => page.evaluate('[...window.refused].sort()'))
      .toEqual(['script-src-attr', 'script-src-elem'])
    expect(await page.evaluate('window.ran')).toBeUndefined()
  })

  await step('serves only files of the built page', async () => {
    const statuses = await app.electron.evaluate(async ({ net }) => {
      const addresses = [
        'app://causeway/../main/index.js',
        'app://causeway/..%2Fmain%2Findex.js',
        'app://causeway/%2e%2e/main/index.js',
        'app://causeway//etc/passwd',
        'app://other/index.html',
      ]
      const answers = await Promise.all(
        addresses.map((address) =>
          net.fetch(address).then(
            ({ status }) => status,
            () => 'failed',
          ),
        ),
      )
      return answers
    })
    for (const status of statuses) expect([404, 'failed']).toContain(status)
  })

  await step('blocks workers from blobs', async () => {
    const made = `new Promise((resolve) => {
      const worker = new Worker(URL.createObjectURL(new Blob(['postMessage(typeof RTCPeerConnection)'])))
      worker.onmessage = () => resolve('ran')
      worker.onerror = () => resolve('refused')
    }).catch(() => 'refused')`
    expect(await page.evaluate(made)).toBe('refused')
  })

  await step('blocks DNS lookups by the page', async () => {
    const path = join(folder, 'net-log.json')
    await app.electron.evaluate(async ({ session }, file) => {
      await session.defaultSession.netLog.startLogging(file)
    }, path)
    await page.evaluate(`(async () => {
      document.head.append(
        Object.assign(document.createElement('link'), { rel: 'dns-prefetch', href: 'http://hint.example/' }),
      )
      const server = { urls: 'turn:relay.example?transport=tcp', username: 'user', credential: 'word' }
      const connection = new RTCPeerConnection({ iceServers: [server] })
      const gathered = new Promise((resolve) => {
        connection.onicegatheringstatechange = () => connection.iceGatheringState === 'complete' && resolve()
      })
      connection.createDataChannel('data')
      await connection.setLocalDescription()
      await gathered
    })()`)
    await app.electron.evaluate(({ session }) => session.defaultSession.netLog.stopLogging())

    const { constants, events } = netLog.parse(JSON.parse(await readFile(path, 'utf8')))
    expect(JSON.stringify(events)).toContain('hint.example')
    expect(JSON.stringify(events)).toContain('relay.example')
    for (const name of ['HOST_RESOLVER_SYSTEM_TASK', 'DNS_TRANSACTION_ATTEMPT', 'UDP_BYTES_SENT']) {
      const type = constants.logEventTypes[name]
      expect(type, name).toBeDefined()
      expect(events.filter((event) => event.type === type)).toEqual([])
    }
  })

  await step('keeps the page from opening windows and contacting other hosts', async () => {
    const origin = JSON.stringify(mock.origin)
    expect(await page.evaluate(`window.open(${origin})`)).toBeNull()
    await page.evaluate(`
      for (const make of [
        () => Object.assign(document.createElement('iframe'), { src: ${origin} }),
        () => Object.assign(document.createElement('img'), { src: ${origin} }),
        () => Object.assign(document.createElement('script'), { src: ${origin} }),
        () => Object.assign(document.createElement('link'), { rel: 'stylesheet', href: ${origin} }),
      ]) document.body.append(make())
      const link = Object.assign(document.createElement('a'), { href: ${origin}, target: '_blank' })
      document.body.append(link)
      link.click()`)
    const fetched = `fetch(${origin}).then(() => 'sent', () => 'refused')`
    expect(await page.evaluate(fetched)).toBe('refused')
    await window.show('Settings')
    await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible()
    expect(app.electron.windows()).toHaveLength(1)
    expect(await mock.requests()).toEqual([])
  })

  await step('blocks WebRTC over UDP and TCP, in the page and in frames', async () => {
    const [fromPage, fromOther] = await Promise.all([listenForWebRtc(), listenForWebRtc()])
    try {
      await page.evaluate(tryWebRtc(fromPage))
      // An unrestricted window shows when all targets would have been reached.
      const other = await app.electron.evaluateHandle(async ({ BrowserWindow }, script) => {
        const opened = new BrowserWindow({
          show: false,
          webPreferences: { partition: 'other', sandbox: true },
        })
        await opened.loadURL('data:text/html,')
        await opened.webContents.executeJavaScript(script)
        return opened
      }, tryWebRtc(fromOther))
      await expect.poll(() => fromOther.reached()).toEqual(webRtcTargets)
      expect(fromPage.reached()).toEqual([])
      await other.evaluate((opened) => {
        opened.destroy()
      })
    } finally {
      await Promise.all([fromPage.close(), fromOther.close()])
    }
  })

  await step("rejects calls that don't match the contract, and continues", async () => {
    const wrong = [
      `'nope', {}`,
      `'__proto__', {}`,
      `'toString'`,
      `42, {}`,
      `'addInstance', { address: 7 }`,
      `'addInstance', null`,
      `'connect', { profileId: 'x' }`,
      `'setSetting', { name: 'theme', value: { toString: 1 } }`,
      `'setSetting', { name: 'openvpnPath', value: '/bin/true' }`,
      `'setOpenVpn', { by: '/bin/true' }`,
      `'addInstance', { address: 'x'.repeat(100000) }`,
    ]
    for (const call of wrong) {
      expect(await page.evaluate(`window.causeway.run(${call})`), call).toMatchObject({
        ok: false,
        error: { code: 'usage/invalid-argument' },
      })
    }
    const unknown = await page.evaluate(`window.causeway.run('logIn', { instanceId: 'nobody.example' })`)
    expect(unknown).toMatchObject({ ok: false, error: { code: 'usage/unknown-instance' } })
    await window.show('Connection')
    await window.addInstance(mock.instance)
    await expect(window.logInButton).toBeVisible()
  })

  // The last step, because Playwright's clicks would wait for the navigation to end.
  await step('blocks navigation', async () => {
    const before = page.url()
    const elsewhere = `${mock.origin}/elsewhere`
    await app.electron.evaluate(({ BrowserWindow }) => {
      const refused: unknown[] = []
      Object.assign(globalThis, { refused })
      BrowserWindow.getAllWindows()[0]?.webContents.on('will-frame-navigate', (event) => {
        // Runs after the app's own listener.
        refused.push({ url: event.url, refused: event.defaultPrevented })
      })
    })
    await page.evaluate(`void (location.href = ${JSON.stringify(elsewhere)})`)
    await expect
      .poll(() => app.electron.evaluate(() => (globalThis as { refused?: unknown }).refused))
      .toEqual([{ url: elsewhere, refused: true }])
    expect(page.url()).toBe(before)
    expect(await page.evaluate('document.title')).toBe('Connection · Causeway')
    expect(await mock.count('GET', '/elsewhere')).toBe(0)
  })
})

test('exits with status 2 and a message for a wrong option', async ({ folder, handedOver }) => {
  const env = appEnvironment({ dataDir: `${folder}/data`, browser: handedOver.command })
  const start = await execa(electronPath, [...switches, '.', '--secret-store', 'paper'], {
    env,
    reject: false,
    timeout: 20_000,
  })
  expect(start.exitCode).toBe(2)
  expect(start.stderr).toContain('paper')
})
