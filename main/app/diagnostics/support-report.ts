import type { Finding } from './doctor'
import { printableJson } from '../../platform/http/printable'
import type { Settings } from '../../../contract/settings'
import type { Redactor } from '../../platform/log/redactor'
import type { Versions } from '../../platform/log/versions'

/** What support needs to know, without what names the person and without secrets. */
export interface SupportReport {
  /** ISO 8601, UTC. */
  readonly madeAt: string
  readonly versions: Versions
  readonly settings: Settings
  readonly findings: readonly Finding[]
  /** Lines of the log as they are in the file, oldest first. */
  readonly log: readonly string[]
}

/** Everything passes the redactor, the log's lines too: an older Causeway may have written them. */
export function supportReport(parts: SupportReport, redactor: Redactor): SupportReport {
  return {
    madeAt: parts.madeAt,
    versions: parts.versions,
    settings: { ...parts.settings, openvpnPath: redactor.text(parts.settings.openvpnPath) },
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
    // A line that a full disk cut off.
    return redactor.text(line)
  }
}

/** The report as a text that can be pasted into a message; in English, as it is for support. */
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
