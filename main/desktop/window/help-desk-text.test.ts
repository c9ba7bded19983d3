import { expect, it } from 'vitest'
import type { ErrorReport } from '../../../contract/error-codes'
import { settingsSchema } from '../../../contract/settings'
import type { InstanceSlice } from '../../../contract/state'
import { type SupportReport, supportReport } from '../../app/diagnostics/support-report'
import { AppLanguage } from '../../commands/models/app-language'
import { helpDeskText } from './help-desk-text'

const target = { instanceId: 'vpn.example.org', profileId: 'internet' }
const instance: InstanceSlice = {
  id: target.instanceId,
  name: 'Example University',
  address: 'https://vpn.example.org/',
  login: 'signed-in',
  profiles: { status: 'loaded', items: [{ profileId: 'internet', displayName: 'Internet Access' }] },
  messages: { status: 'loaded', items: [] },
}
const killSwitch = { here: 'available', blocks: false } as const
const unreachable: ErrorReport = { code: 'http/unreachable', message: 'It is not there.' }
const failed = (error: ErrorReport) => ({ state: 'failed', target, error }) as const

function line(time: string, event: string, fields: object): string {
  return JSON.stringify({ time, level: 'error', part: 'connection', event, fields })
}

function reportOf(...log: string[]): SupportReport {
  return supportReport(
    {
      madeAt: '2026-03-01T12:00:00.000Z',
      versions: {
        causeway: '1.0.0',
        program: 'window',
        node: '24.0.0',
        system: 'linux 6.1 x64',
      },
      settings: settingsSchema.parse({}),
      managed: [],
      findings: [],
      log,
    },
    { home: '/home/ada', userName: 'ada' },
  )
}

const report = reportOf(
  line('2026-03-01T09:05:00.000Z', 'state', failed(unreachable)),
  line('2026-03-01T09:05:00.000Z', 'failed', { command: 'connect', error: unreachable }),
  line('2026-03-01T09:30:00.000Z', 'state', failed({ ...unreachable, code: 'http/timed-out' })),
  'cut off',
  line('2026-03-01T10:10:00.000Z', 'state', failed(unreachable)),
)

async function languageOf(name: string): Promise<AppLanguage> {
  const language = new AppLanguage()
  await language.use([name])
  return language
}

/** Returns the time as the message shows it, with the zone of the computer that runs the test. */
function at(time: string, { wording }: AppLanguage): string {
  const format = new Intl.DateTimeFormat(wording.locale, { dateStyle: 'medium', timeStyle: 'long' })
  return format.format(new Date(`2026-03-01T${time}:00Z`))
}

it.each([
  [
    'en',
    'This is about the profile "Internet Access" of Example University (vpn.example.org).',
    (first: string, last: string) => `It happened 2 times: first on ${first}, last on ${last}.`,
    'Code: http/unreachable',
  ],
  [
    'de',
    'Es geht um das Profil „Internet Access“ von Example University (vpn.example.org).',
    (first: string, last: string) => `Das ist 2-mal passiert: zuerst am ${first}, zuletzt am ${last}.`,
    'Code: http/unreachable',
  ],
])('says in %s what failed, to what, when and how often, and the code', async (name, what, often, code) => {
  const language = await languageOf(name)
  const text = helpDeskText(
    { connection: failed(unreachable), instances: [instance], killSwitch },
    report,
    language,
  )
  const [sentences = '', rest = ''] = text.split(/\n\n(.*)/s)
  expect(sentences.split('\n')).toEqual([
    language.errorText(unreachable).what,
    what,
    often(at('09:05', language), at('10:10', language)),
    code,
  ])
  expect(rest).toMatch(/^Causeway support report, created 2026-03-01T12:00:00\.000Z\n/)
  expect(rest).toContain('"code":"http/timed-out"')
})

/** The sentences without the report. */
async function sentencesIn(
  state: Partial<Parameters<typeof helpDeskText>[0]>,
  shown = report,
): Promise<string[]> {
  const language = await languageOf('en')
  const idle = { connection: { state: 'idle' as const }, instances: [instance], killSwitch }
  return helpDeskText({ ...idle, ...state }, shown, language)
    .split('\n')
    .slice(0, 4)
}

it('tells of a failed login where nothing is connected', async () => {
  const language = await languageOf('en')
  const error: ErrorReport = { code: 'oauth/access-denied', message: 'No.' }
  const shown = reportOf(line('2026-03-01T11:00:00.000Z', 'failed', { command: 'logIn', error }))
  expect(await sentencesIn({ instances: [{ ...instance, loginError: error }] }, shown)).toEqual([
    language.errorText(error).what,
    'This is about the service Example University (vpn.example.org).',
    `It happened once, on ${at('11:00', language)}.`,
    'Code: oauth/access-denied',
  ])
})

it('tells of the state where nothing has failed', async () => {
  const language = await languageOf('en')
  const now = `This was the state on ${at('12:00', language)}.`
  expect(await sentencesIn({ connection: { state: 'preparing', target } })).toEqual([
    'Causeway shows: Connecting.',
    'This is about the profile "Internet Access" of Example University (vpn.example.org).',
    now,
    'There is no error code.',
  ])
  expect(await sentencesIn({ killSwitch: { here: 'available', blocks: true } })).toEqual([
    'Causeway shows: Traffic blocked.',
    'This is about no service in particular.',
    now,
    'There is no error code.',
  ])
})

it.each(['data/not-responding', 'openvpn/option-refused'] as const)(
  'keeps what a server or a path could tell out of the sentences about %s',
  async (code) => {
    const secret = 'AbCd1234secret5678'
    const error: ErrorReport = {
      code,
      message: secret,
      details: { reason: secret, path: `/home/ada/${secret}` },
    }
    const language = await languageOf('en')
    expect(language.errorText(error).what).toContain(secret)
    const sentences = await sentencesIn({ connection: failed(error) })
    expect(sentences[3]).toBe(`Code: ${code}`)
    expect(sentences.join('\n')).not.toMatch(/secret|\bada\b/)
  },
)
