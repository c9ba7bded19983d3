import { z } from 'zod'
import { promisesAll } from '../../../contract/connection-summary'
import type { ConnectionTarget } from '../../../contract/connection'
import { describeConnection } from '../../../contract/describe-connection'
import type { ErrorReport } from '../../../contract/error-codes'
import { serviceName } from '../../../contract/service-name'
import type { AppState } from '../../../contract/state'
import { type SupportReport, supportReportText } from '../../app/diagnostics/support-report'
import type { AppLanguage } from '../../commands/models/app-language'
import { parseJson } from '../../json'
import { logFields } from '../../platform/log/log-fields'

type ShownState = Pick<AppState, 'connection' | 'instances' | 'killSwitch'>
type Language = Pick<AppLanguage, 't' | 'errorText' | 'wording'>

/** A line of the log about a failure. */
const failure = z.object({
  time: z.iso.datetime(),
  event: z.string(),
  fields: z.object({ error: z.object({ code: z.string() }) }),
})

/** What a message is about. Without an error, it's the state of the connection. */
interface Subject {
  readonly error?: ErrorReport | undefined
  readonly target?: Partial<ConnectionTarget>
  /** How the log tells of the error. */
  readonly event?: 'state' | 'failed'
}

/**
 * Returns a message for the help desk: what happened, to what, when and how often, and the code, each a sentence in the
 * person's language; then the report.
 */
export function helpDeskText(state: ShownState, report: SupportReport, language: Language): string {
  const { t } = language
  const subject = subjectOf(state)
  const { error } = subject
  return [
    error === undefined
      ? stateSentence(state, language)
      : // Words of a server, or a path, could be anybody's.
        language.errorText({ ...error, details: logFields(error.details ?? {}) }).what,
    placeSentence(state, subject, language),
    timeSentence(subject, report, language),
    error === undefined ? t('desktop.helpDesk.noCode') : t('error.code', { code: error.code }),
    '',
    supportReportText(report),
  ].join('\n')
}

/** A failure of the connection goes first, then one of a service's login or list of profiles. */
function subjectOf({ connection, instances }: ShownState): Subject {
  const target = 'target' in connection ? connection.target : {}
  if (connection.state === 'failed') return { error: connection.error, target, event: 'state' }
  if (connection.state === 'idle' || connection.state === 'disconnected') {
    for (const { id, loginError, profiles } of instances) {
      const error = loginError ?? profiles.error
      if (error !== undefined) return { error, target: { instanceId: id }, event: 'failed' }
    }
  }
  return { target }
}

function stateSentence({ connection, instances, killSwitch }: ShownState, { t, wording }: Language): string {
  const { glance } = describeConnection(connection, {
    locale: wording.locale,
    blocks: killSwitch.blocks,
    promisesAll: promisesAll(connection, instances),
  })
  return t('desktop.helpDesk.state', { state: t(glance).replace(/…$/u, '') })
}

function placeSentence({ instances }: ShownState, { target = {} }: Subject, { t }: Language): string {
  const { instanceId, profileId } = target
  if (instanceId === undefined) return t('desktop.helpDesk.nowhere')
  const found = instances.find(({ id }) => id === instanceId)
  const name = found && serviceName(found)
  const instance = name === undefined || name === instanceId ? instanceId : `${name} (${instanceId})`
  if (profileId === undefined) return t('desktop.helpDesk.service', { instance })
  const profile = found?.profiles.items.find((each) => each.profileId === profileId)?.displayName ?? profileId
  return t('desktop.helpDesk.profile', { profile, instance })
}

function timeSentence(
  { error, event }: Subject,
  { log, madeAt }: SupportReport,
  { t, wording }: Language,
): string {
  const format = new Intl.DateTimeFormat(wording.locale, { dateStyle: 'medium', timeStyle: 'long' })
  const text = (time: string) => format.format(new Date(time))
  const found = error === undefined ? [] : log.flatMap((line) => timeOf(line, event, error.code))
  const [first, last] = [found[0], found.at(-1)]
  if (first === undefined || last === undefined) return t('desktop.helpDesk.now', { time: text(madeAt) })
  return found.length === 1
    ? t('desktop.helpDesk.once', { time: text(first) })
    : t('desktop.helpDesk.often', { times: found.length, first: text(first), last: text(last) })
}

/** Returns the time of a line of the log that tells of an error with this code; nothing of another line. */
function timeOf(line: string, event: Subject['event'], code: string): string[] {
  const entry = failure.safeParse(parseJson(line))
  return entry.success && entry.data.event === event && entry.data.fields.error.code === code
    ? [entry.data.time]
    : []
}
