import type { FindingItem } from '../../../contract/doctor'
import { printableJson } from '../../../contract/safe-text'
import type { SettingName, Settings } from '../../../contract/settings'
import { parseJson } from '../../json'
import { logFields } from '../../platform/log/log-fields'
import type { Versions } from '../../platform/log/versions'

/** A report for support, without secrets and personal data. */
export interface SupportReport {
  /** ISO 8601, UTC. */
  readonly madeAt: string
  readonly versions: Versions
  readonly settings: Settings
  /** The settings that the computer's policy sets. */
  readonly managed: readonly SettingName[]
  readonly findings: readonly FindingItem[]
  /** Lines of the log file, oldest first. */
  readonly log: readonly string[]
}

/** The user, whose name and home directory a report must not contain. */
interface Person {
  /** The home directory; empty if there is none. */
  readonly home: string
  readonly userName: string
}

/**
 * Reduces all parts to what support may know. Log lines pass the allow-list again, because other programs of this user can
 * write to the file.
 */
export function supportReport(parts: SupportReport, person: Person): SupportReport {
  const own = (text: string) => withoutPerson(text, person)
  return {
    madeAt: parts.madeAt,
    versions: parts.versions,
    settings: {
      ...parts.settings,
      openvpnPath: own(parts.settings.openvpnPath),
      discovery: parts.settings.discovery.replace(/[?#].*/, ''),
    },
    managed: parts.managed,
    findings: parts.findings.map(({ name, status, code, error, facts = {} }) => ({
      name,
      status,
      code,
      error,
      facts: Object.fromEntries(Object.entries(facts).map(([fact, value]) => [fact, own(value)])),
    })),
    log: parts.log.map((line) => {
      const entry = parseJson(line)
      // A full disk can truncate a line.
      return typeof entry === 'object' && entry !== null
        ? own(printableJson(logFields(entry)))
        : '[unreadable line]'
    }),
  }
}

/** Returns one of our sentences without the user's name and home directory, and without addresses of computers. */
function withoutPerson(text: string, { home, userName }: Person): string {
  // A home such as `/`, and the name of an administrator, identify nobody.
  const there = home.length > 2 ? text.replaceAll(home, '~') : text
  const name = userName.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  const anonymous =
    userName.length < 2 || userName === 'root'
      ? there
      : there.replace(new RegExp(`(?<![\\p{L}\\p{N}])${name}(?![\\p{L}\\p{N}])`, 'giu'), '[user]')
  return anonymous.replace(
    /(?<!\d)(?!127\.)\d{1,3}(?:\.\d{1,3}){3}(?!\d)|\[[\da-f:]*:[\da-f:]+\]/gi,
    '[address]',
  )
}

/** Formats the report as text for a message to support, in English. */
export function supportReportText({
  madeAt,
  versions,
  settings,
  managed,
  findings,
  log,
}: SupportReport): string {
  return [
    `Causeway support report, created ${madeAt}`,
    '',
    ...section('Versions', pairs(versions)),
    ...section('Settings', pairs(settings)),
    ...(managed.length === 0 ? [] : section('Set by the policy', [`  ${managed.join(', ')}`])),
    ...section(
      'Findings',
      findings.map(({ name, status, code, error, facts = {} }) =>
        [`  ${name}: ${status}, ${code}`, ...Object.values(facts), error]
          .filter((part) => part !== undefined)
          .join(', '),
      ),
    ),
    `Log (the last ${log.length} lines)`,
    ...log,
  ].join('\n')
}

function section(title: string, lines: readonly string[]): string[] {
  return [title, ...lines, '']
}

function pairs(values: object): string[] {
  return Object.entries(values).map(([name, value]) => `  ${name}: ${String(value)}`)
}
