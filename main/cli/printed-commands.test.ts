import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, it, onTestFinished } from 'vitest'
import { startTestMock } from '../../mock-server/test-authority'
import { BuiltCommand } from './causeway.testing'
import { shellWord } from './language'

const command = await BuiltCommand.make()
afterAll(() => command.remove())

it.each(['en', 'ar', 'ja'])('prints commands with the options that were typed (%s)', async (lang) => {
  const person = await command.person()
  const dataDir = join(person.dataDir, "Ann's data")
  await mkdir(dataDir, { mode: 0o700 })
  const typed = ['--data-dir', dataDir, '--secret-store', 'file']
  const words = `causeway --data-dir ${shellWord(dataDir)} --secret-store file`
  const env = { CAUSEWAY_LANG: lang }

  const { stdout } = await person.run(['instance', 'list', ...typed], { env })
  expect(stdout).toContain(`${words} instance add `)
  expect((await person.run([...typed, 'reconnect'], { env })).stderr).toContain(
    `${words} connect --last --detach`,
  )
  const { message } = await person.failure([...typed, 'reconnect'], { env })
  expect(message).toContain(`${words} connect --last --detach`)

  // The next command may not have these variables, and sudo drops them.
  const set = { ...env, CAUSEWAY_OPENVPN: '/opt/my openvpn', CAUSEWAY_DISCOVERY: '' }
  const other = await person.run(['instance', 'list'], { env: set })
  expect(other.stdout).toContain(
    `causeway --data-dir ${shellWord(person.dataDir)} --secret-store file --openvpn '/opt/my openvpn' instance add `,
  )
})

it('says how to log in where a unit has no login', async () => {
  const mock = await startTestMock({ autoApprove: true })
  onTestFinished(() => mock.close())
  const person = await command.person(mock.instance)
  const words = ['connect', 'office', '--check', '--no-login']
  const { status, stderr } = await person.run([...words, '--sysexits'])
  expect(status).toBe(77)
  expect(stderr).toContain(
    `To sign in, run: causeway --data-dir ${person.dataDir} --secret-store file login (oauth/login-required)`,
  )
  expect(await person.run(words)).toMatchObject({ status: 3 })
})

it('prints words as a shell takes them', () => {
  expect(shellWord('/srv/causeway', 'linux')).toBe('/srv/causeway')
  expect(shellWord("/home/ann/Ann's data", 'linux')).toBe("'/home/ann/Ann'\\''s data'")
  expect(shellWord('C:\\Users\\ann', 'win32')).toBe('C:\\Users\\ann')
  expect(shellWord('C:\\My data', 'win32')).toBe('"C:\\My data"')
  expect(shellWord('a\\b', 'linux')).toBe("'a\\b'")
})
