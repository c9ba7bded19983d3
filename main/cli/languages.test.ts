import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { languageNames } from '../../contract/locales/languages'
import { startCommandAndMock } from './causeway.testing'
import { errorMessage, speak, t } from './language'
import { cells } from './screen'
import { table } from './terminal'
import { report } from '../errors'
import { slow } from '../../scripts/slow.testing'

const { command, mock } = await startCommandAndMock({ autoApprove: true })

/** Windows has the system's language elsewhere. */
const hasLang = process.platform !== 'win32'
const german = { env: { LANG: 'de_DE.UTF-8' } }

describe('the language of the terminal', () => {
  it.runIf(hasLang)('is that of the system', async () => {
    const person = await command.person()
    const mixed = { env: { LANG: 'fr_FR.UTF-8', LC_ALL: 'de_AT.UTF-8' } }
    expect((await person.run(['status'], mixed)).stdout).toBe('Nicht verbunden.')
    expect((await person.run(['status'])).stdout).toBe('Not connected.')
  })

  slow('is that of the setting, before the system', async () => {
    const person = await command.person()
    await person.run(['settings', 'set', 'language', 'ja'])
    expect(await person.run(['status'], german)).toMatchObject({ stdout: '接続していません。' })
  })

  slow('is that of --lang, before the setting', async () => {
    const person = await command.person()
    await person.run(['settings', 'set', 'language', 'ja'])
    const other = await command.person()
    const { stderr } = await other.run(['instance', 'list', '--lang', 'de-CH'], german)
    const { stdout } = await person.run(['instance', 'list', '--lang', 'de-CH'], german)
    expect(stdout).toMatch(
      /^Es gibt noch keine Dienste\. Um einen hinzuzufügen, ausführen: causeway .* instance add ADDRESS$/,
    )
    expect(stderr).toMatch(/^Warnung: Ihre Anmeldungen sind in der Datei .* gespeichert/)
  })

  slow('is English for a language without texts, and in ASCII with LC_ALL=C', async () => {
    const person = await command.person()
    expect((await person.run(['status', '--lang', 'xx'], german)).stdout).toBe('Not connected.')
    await person.run(['settings', 'set', 'language', 'ja', '--quiet'])
    await rm(join(person.dataDir, 'secrets-warned'))
    const { stdout, stderr } = await person.run(['status'], { env: { LANG: 'de_DE.UTF-8', LC_ALL: 'C' } })
    expect(stdout).toBe('Not connected.')
    expect(stderr).toMatch(/^Warning: [ -~]*$/)
  })

  it.each(['no language', 'de_DE', 'x', '1', '-', ''])('is never %o', async (tag) => {
    const person = await command.person()
    const { status, stdout, stderr } = await person.run([`--lang=${tag}`, 'status'])
    expect([status, stdout]).toEqual([2, ''])
    expect(stderr).toContain('It must be a language tag such as nl or pt-BR.')
  })

  it.runIf(hasLang)(
    'neither reports nor repairs damaged settings, nor fails if the command does without them',
    async () => {
      const person = await command.person()
      await mkdir(person.dataDir, { recursive: true })
      await writeFile(join(person.dataDir, 'settings.json'), '{')
      expect(await person.run(['status', '--quiet'], german)).toMatchObject({
        status: 0,
        stdout: 'Nicht verbunden.',
        stderr: '',
      })
    },
  )
})

it('translates an error, with its code and --json as they are', async () => {
  const person = await command.person()
  const unknown = ['login', 'vpn.example.org', '--quiet', '--lang', 'de']
  const what = 'Dieser Dienst steht nicht in Ihrer Liste.'
  expect(await person.run(unknown)).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(
      new RegExp(`^causeway: ${what} .* \\(usage/unknown-instance\\)$`),
    ) as string,
  })
  const { stderr } = await person.run([...unknown, '--json'])
  expect(JSON.parse(stderr)).toMatchObject({
    error: { code: 'usage/unknown-instance', message: expect.stringContaining(what) as string },
  })
  expect(await person.json('status', '--lang', 'de')).toEqual({ state: 'disconnected' })
})

it('translates tables, and the findings of the doctor', async () => {
  const person = await command.person(mock.instance)
  const { stdout } = await person.run(['profile', 'list', '--lang', 'ja'])
  const [header = '', ...rows] = stdout.split('\n')
  expect(header).toMatch(/^プロファイル {2}名前 +通信$/)
  expect(rows.length).toBeGreaterThan(1)
  // Each column begins in the same cell.
  const start = cells(header.slice(0, header.indexOf('通信')))
  for (const row of rows) expect(cells(row.replace(/(すべて|一部)$/, ''))).toBe(start)
  const doctor = await person.run(['doctor', '--lang', 'de'])
  expect(doctor.stdout).toMatch(/^ok {13}openvpn {6}OpenVPN 2\.\S+ unter /m)
  const inJson = await person.run(['doctor', '--json', '--lang', 'de'])
  expect(inJson.stdout).toMatch(/"detail":\s*"OpenVPN 2\.\S+ unter /)
})

describe('texts', () => {
  afterEach(() => speak(['en']))

  it('in Arabic have their plural forms, and no control characters when they are printed', async () => {
    await speak(['ar-EG'])
    expect(t('terminal.content.comments', { count: 2 })).toBe('تعليقان')
    expect(t('terminal.content.comments', { count: 11 })).toBe('11 تعليقًا')
    const person = await command.person()
    const { stdout } = await person.run(['instance', 'add', mock.instance, '--lang', 'ar'])
    expect(stdout).toBe(`تمت إضافة ${new URL(mock.instance).host}.`)
  })

  it('cut off the same columns of a table in every language', async () => {
    await speak(['ja'])
    const header = [t('terminal.column.id'), t('terminal.column.title')]
    const narrow = table(header, [['4711', '東京の事務所のネットワーク']], { columns: 20, ascii: false })
    expect(Math.max(...narrow.split('\n').map(cells))).toBeLessThanOrEqual(20)
    expect(narrow).toMatch(/^4711 {2}東京の.*…$/m)
  })

  it('describe the allowed values of settings', async () => {
    const person = await command.person()
    const described = 'ein Sprachkürzel wie en oder pt-BR'
    expect((await person.run(['settings', 'list', '--lang', 'de'])).stdout).toContain(described)
    const { stderr } = await person.run(['settings', 'set', 'language', '?', '--lang', 'de', '--json'])
    expect(JSON.parse(stderr)).toMatchObject({
      error: {
        message: expect.stringContaining(described) as string,
        details: { allowed: expect.arrayContaining(['a language tag such as en or pt-BR']) as string[] },
      },
    })
  })

  it('keep the words of a server, and messages of another text', async () => {
    await speak(['de'])
    const details = { host: 'vpn.example.org', error: 'quota' }
    expect(errorMessage(report('vpn-api/refused', { details }))).toContain(' (“quota”). ')
    await speak(['ja'])
    expect(errorMessage(report('usage/instance-needed', { variant: 'none' }))).toMatch(
      /^サービスがまだありません。\S+ causeway instance add ADDRESS$/,
    )
    const several = { variant: 'several' as const, details: { ids: ['vpn.example.org', 'b.example.org'] } }
    for (const language of Object.keys(languageNames)) {
      await speak([language])
      expect(errorMessage(report('usage/instance-needed', several))).toContain(
        'vpn.example.org, b.example.org',
      )
    }
    expect(errorMessage({ ...report('oauth/cancelled'), message: 'As it is.' })).toBe('As it is.')
  })
})
