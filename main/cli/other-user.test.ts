import { access, chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { execa } from 'execa'
import { describe, expect, it, onTestFinished } from 'vitest'
import { idleBrowser, type Person, type Running, startCommandAndMock } from './causeway.testing'

/** Only root may act as another user without a password. */
const mayBeAnother =
  process.platform === 'linux' &&
  process.getuid?.() === 0 &&
  (await access('/usr/bin/setpriv').then(
    () => true,
    () => false,
  ))

const { command, mock } = await startCommandAndMock({ autoApprove: true })

/** Runs JavaScript as the user `nobody` and returns its output. */
async function asNobody(script: string): Promise<string> {
  const { stdout } = await execa(
    '/usr/bin/setpriv',
    ['--reuid=65534', '--regid=65534', '--clear-groups', process.execPath, '-e', script],
    { reject: false, timeout: 60_000, cwd: '/' },
  )
  return stdout
}

const listing = (path: string) =>
  asNobody(
    `try { console.log(require('fs').readdirSync(${JSON.stringify(path)})) } catch (e) { console.log(e.code) }`,
  )
const reading = (path: string) =>
  asNobody(
    `try { console.log(require('fs').readFileSync(${JSON.stringify(path)}, 'utf8')) } catch (e) { console.log(e.code) }`,
  )
const visiting = (path: string) =>
  asNobody(
    `require('net').connect(${JSON.stringify(path)}).on('error', (e) => console.log(e.code)).on('data', (d) => { console.log(String(d)); process.exit() })`,
  )

/** Returns status and text of the page that the user `nobody` gets, after redirects. */
const fetching = (address: string) =>
  asNobody(
    `fetch(${JSON.stringify(address)}).then(async (page) => console.log(page.status, await page.text()), (e) => console.log(e.message))`,
  )

/** Resolves with the login URL that the command prints. */
async function authorizationIn(running: Running): Promise<URL> {
  for await (const line of createInterface({ input: running.stderr })) {
    if (line.startsWith('  http')) return new URL(line.trim())
  }
  throw new Error('No address was printed.')
}

/** Starts a login; returns the printed URL, and the one on the browser's command line. */
async function loginOf(person: Person): Promise<{ running: Running; printed: URL; address: string }> {
  const seen = join(person.dataDir, 'browser-address')
  const script = `require('fs').writeFileSync('${seen}.new', process.argv.at(-1)); require('fs').renameSync('${seen}.new', '${seen}')`
  const browser = [process.execPath, '-e', script].map((word) => word.replaceAll(' ', '\\ ')).join(' ')
  const running = person.start(['login'], { env: { CAUSEWAY_BROWSER: browser } })
  onTestFinished(() => {
    running.kill('SIGKILL')
  })
  const printed = await authorizationIn(running)
  let address = ''
  await expect.poll(async () => (address = await readFile(seen, 'utf8').catch(() => ''))).not.toBe('')
  return { running, printed, address }
}

describe.runIf(mayBeAnother)('another user of the computer', () => {
  it('learns nothing about a login from the command line of the browser', async () => {
    const person = await command.person(mock.instance)
    const { running, address } = await loginOf(person)
    expect(address).not.toMatch(/state=|code_challenge=|oauth/)
    expect(await fetching(address)).toMatch(/^403 /)

    expect((await fetch(address)).status).toBe(200)
    expect((await running).exitCode).toBe(0)
  })

  it('cannot send a code, even with the state of the login', async () => {
    const person = await command.person(mock.instance)
    const { running, printed, address } = await loginOf(person)
    const callback = new URL(printed.searchParams.get('redirect_uri') ?? '')
    callback.searchParams.set('code', 'the-code-of-another')
    callback.searchParams.set('state', printed.searchParams.get('state') ?? '')
    expect(await fetching(callback.href)).toMatch(/^403 .*another user/s)

    expect((await fetch(address)).status).toBe(200)
    expect((await running).exitCode).toBe(0)
  })

  it('cannot list the data directory, nor read its files if the directory is opened to all', async () => {
    const person = await command.person()
    await chmod(person.dataDir, 0o755)
    const dataDir = join(person.dataDir, 'mine')
    const env = { CAUSEWAY_DATA_DIR: dataDir }
    await person.run(['instance', 'add', mock.instance], { env })
    expect(await person.run(['login'], { env })).toMatchObject({ status: 0 })
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700)
    expect(await listing(dataDir)).toBe('EACCES')

    await chmod(dataDir, 0o755)
    expect(await listing(dataDir)).toContain('secrets.json')
    for (const name of ['secrets.json', 'instances.json']) {
      expect(await reading(join(dataDir, name))).toBe('EACCES')
    }
  })

  it('cannot connect to the holder of the tunnel if the data directory is opened to all', async () => {
    const person = await command.person(mock.instance)
    const running = person.start(['connect', 'internet', '--check', '--json'], {
      env: { CAUSEWAY_BROWSER: idleBrowser },
    })
    onTestFinished(() => {
      running.kill('SIGKILL')
    })
    await expect
      .poll(async () => (await person.json('status')) as object)
      .toMatchObject({ state: 'authorizing' })
    await chmod(person.dataDir, 0o755)
    expect(await visiting(join(person.dataDir, 'tunnel.sock'))).toBe('EACCES')
  })

  it.each([['doctor'], ['login'], ['instance', 'list'], ['connect', 'internet', '--check']])(
    'has no program run, gets no login, and replaces no socket, through a data directory that it may write to: %s',
    async (...args) => {
      const person = await command.person(mock.instance)
      const [program, ran] = [join(person.dataDir, 'program'), join(person.dataDir, 'ran')]
      await writeFile(program, `#!/bin/sh\ntouch ${ran}\necho OpenVPN 2.6.0\n`, { mode: 0o755 })
      await person.run(['settings', 'set', 'openvpnPath', program])
      await chmod(person.dataDir, 0o777)
      expect(await person.failure(args)).toMatchObject({
        status: 1,
        code: 'data/unwritable',
        details: { path: person.dataDir, reason: 'not-ours' },
      })
      expect(await readdir(person.dataDir)).not.toContain('ran')
      expect(await readdir(person.dataDir)).not.toContain('secrets.json')
    },
  )
})

/** Shell commands that give each of these folders to a user alone, in place of this computer's /var/lib. */
const ownFolders = `mount -t tmpfs -o mode=755 none /var/lib
cd /var/lib
mkdir -m 700 causeway other person
chown 65534 person
exec "$@"`

/** JavaScript that listens as a process with a tunnel does, in two folders, and then runs the program of its arguments as \`nobody\`. */
const twoTunnels = `const listen = (name) => new Promise((resolve) => require('net').createServer().listen('/var/lib/' + name + '/tunnel.sock', resolve))
Promise.all(['causeway', 'other'].map(listen)).then(() => {
  const { status } = require('child_process').spawnSync('setpriv', ['--reuid=65534', '--regid=65534', '--clear-groups', ...process.argv.slice(1)], { stdio: 'inherit' })
  process.exit(status)
})`

it.runIf(mayBeAnother)(
  'learns of the tunnel of the system’s units, which only an administrator ends',
  async () => {
    const person = await command.person()
    const through = [
      'unshare',
      '--mount',
      'sh',
      '-ec',
      ownFolders,
      'sh',
      process.execPath,
      '-e',
      twoTunnels,
      '--',
    ]
    const options = { through, env: { CAUSEWAY_DATA_DIR: '/var/lib/person', HOME: '/var/lib/person' } }
    const { stdout } = await person.run(['status', '--json'], options)
    expect(JSON.parse(stdout)).toMatchObject({ others: [{ dataDir: '/var/lib/causeway', state: 'unknown' }] })
    const { stdout: text } = await person.run(['status'], options)
    expect(text).toContain('sudo causeway --data-dir /var/lib/causeway disconnect')
    expect(text).not.toContain('/var/lib/other')
  },
)
