import type { Finding } from './doctor'
import { printableJson } from '../../../contract/safe-text'
import type { Settings } from '../../../contract/settings'
import type { Redactor } from '../../platform/log/redactor'
import type { Versions } from '../../platform/log/versions'

/** A report for support, without secrets and personal data. */
export interface SupportReport {
  /** ISO 8601, UTC. */
  readonly madeAt: string
  readonly versions: Versions
  readonly settings: Settings
  readonly findings: readonly Finding[]
  /** Lines of the log file, oldest first. */
  readonly log: readonly string[]
}

/** Redacts all parts, also the log lines, which an older Causeway may have written. */
export function supportReport(parts: SupportReport, redactor: Redactor): SupportReport {
  return {
    madeAt: parts.madeAt,
    versions: parts.versions,
    settings: {
      ...parts.settings,
      openvpnPath: redactor.text(parts.settings.openvpnPath),
      discovery: redactor.text(parts.settings.discovery),
    },
    findings: parts.findings.map(({ name, status, code, detail, remedy }) => ({
      name,
      status,
      code,
      detail: redactor.text(detail),
      ...(remedy === undefined ? {} : { remedy: redactor.text(remedy) }),
    })),
    log: parts.log.map((line) => redactedLine(line, redactor)),
  }
}

function redactedLine(line: string, redactor: Redactor): string {
  try {
    return printableJson(redactor.value(JSON.parse(line)))
  } catch {
    // A full disk can truncate a line.
    return redactor.text(line)
  }
}

/** Formats the report as text for a message to support, in English. */
export function supportReportText({ madeAt, versions, settings, findings, log }: SupportReport): string {
  return [
    `Causeway support report, created ${madeAt}`,
    '',
    ...section('Versions', pairs(versions)),
    ...section('Settings', pairs(settings)),
    ...section(
      'Findings',
      findings.map(({ name, status, detail, remedy }) =>
        [`  ${name}: ${status}. ${detail}`, ...(remedy === undefined ? [] : [remedy])].join(' '),
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
