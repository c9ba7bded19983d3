import type { ErrorReport } from '../../contract/error-codes'
import { openVpnLine } from '../../contract/error-text'
import { errorMessage, t } from './language'
import { printableJson, terminalLine, terminalText } from '../../contract/safe-text'
import {
  cells,
  colouredStarts,
  cut,
  localTime,
  type Mood,
  padded,
  type Screen,
  screenOf,
  withoutTypography,
} from './screen'

/**
 * Output of the commands: results go to standard output, everything else to standard error. Any text may come from a server, so
 * control characters are removed, and escaped in JSON.
 */
export class Terminal {
  readonly json: boolean
  readonly verbose: boolean
  readonly #quiet: boolean
  readonly #warnings: ErrorReport[] = []

  readonly #screen: Screen

  constructor(options: {
    readonly json: boolean
    readonly verbose: boolean
    /** Prints no warnings. */
    readonly quiet?: boolean
    /** Default: that of standard output. */
    readonly screen?: Screen
  }) {
    this.json = options.json
    this.verbose = options.verbose
    this.#quiet = options.quiet ?? false
    this.#screen = options.screen ?? screenOf()
  }

  /**
   * Prints the result of a command: the value with `--json`, else the text. `moods`: words that are coloured where they begin a
   * line.
   */
  result(value: unknown, text: string, moods: Readonly<Record<string, Mood>> = {}): void {
    const shown = this.#sentence(terminalText(text))
    this.document(value, this.#screen.colours ? colouredStarts(shown, moods) : shown, { isPrintable: true })
  }

  /** Prints a result whose text other programs read as well, so that it stays as it is. */
  document(value: unknown, text: string, { isPrintable = false } = {}): void {
    process.stdout.write(`${this.json ? printableJson(value) : isPrintable ? text : terminalText(text)}\n`)
  }

  /** Returns the sentence of a report for people, with local times. */
  #message(report: ErrorReport): string {
    return this.#sentence(terminalLine(errorMessage(report))).replaceAll(isoTime, (time) =>
      localTime(new Date(time)),
    )
  }

  #sentence(text: string): string {
    return this.#screen.ascii ? withoutTypography(text) : text
  }

  /** Prints progress and hints; nothing with `--json`. */
  note(text: string): void {
    if (!this.json) process.stderr.write(`${this.#sentence(terminalText(text))}\n`)
  }

  /** Prints details, with `--verbose` only. */
  detail(text: string): void {
    if (!this.verbose) return
    process.stderr.write(this.json ? `${printableJson({ log: text })}\n` : `  ${terminalText(text)}\n`)
  }

  /** Prints a warning, unless the user wants none; with `--json` only at the end, so that an error is the only line on standard error. */
  warn(report: ErrorReport): void {
    if (this.#quiet) return
    if (this.json) this.#warnings.push(report)
    else {
      process.stderr.write(`${t('terminal.warning', { text: this.#message(report) })}\n`)
      this.#openVpnLine(report)
    }
  }

  /** Prints a notice at once, also with `--json`. */
  notice(report: ErrorReport): void {
    process.stderr.write(
      `${this.json ? printableJson({ notice: reportJson(report) }) : this.#message(report)}\n`,
    )
  }

  error(report: ErrorReport): void {
    const warnings = this.#warnings.splice(0)
    const line = {
      error: reportJson(report),
      warnings: warnings.length === 0 ? undefined : warnings.map(reportJson),
    }
    process.stderr.write(
      this.json ? `${printableJson(line)}\n` : `causeway: ${this.#message(report)} (${report.code})\n`,
    )
    this.#openVpnLine(report)
  }

  #openVpnLine(report: ErrorReport): void {
    const text = openVpnLine(report)
    if (text !== undefined && !this.json) process.stderr.write(`  ${t('error.openvpn', { text })}\n`)
  }

  /** Prints the warnings that were held back. */
  end(): void {
    for (const warning of this.#warnings.splice(0))
      process.stderr.write(`${printableJson({ warning: reportJson(warning) })}\n`)
  }
}

/** The documented part of a report, with its sentence in the user's language. */
export function reportJson(report: ErrorReport): Omit<ErrorReport, 'variant'> {
  const { code, details } = report
  return { code, message: errorMessage(report), details }
}

const isoTime = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z/g

/** Columns that may be cut off: everything else, such as an id, is there to be copied. */
const freeText = (): readonly string[] => [
  t('terminal.column.name'),
  t('terminal.column.title'),
  t('terminal.column.organization'),
  t('terminal.column.allowed'),
  t('terminal.column.sources'),
  t('terminal.column.login'),
  t('terminal.column.email'),
]

/**
 * Formats rows as a table without lines, and removes control characters of server texts. On a terminal that is too narrow, the
 * widest columns of free text are cut off.
 */
export function table(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  screen: Pick<Screen, 'columns' | 'ascii'> = screenOf(),
): string {
  const texts = [...(header.length > 0 ? [header] : []), ...rows.map((row) => row.map(terminalText))].map(
    (row) => row.map((text) => text.split('\n')),
  )
  const widths = widthsIn(screen.columns, header, texts)
  const ellipsis = screen.ascii ? '...' : '…'
  const linesOf = (row: readonly (readonly string[])[]) =>
    Array.from({ length: Math.max(...row.map((lines) => lines.length)) }, (_line, at) =>
      widths
        .map((width, column) => padded(cut(row[column]?.[at] ?? '', width, ellipsis), width))
        .join('  ')
        .trimEnd(),
    )
  return texts.flatMap(linesOf).join('\n')
}

/** The least width that leaves something of a text. */
const leastWidth = 10

/** Returns the widths of the columns, the widest ones of free text narrower where there is no room. */
function widthsIn(
  columns: number | undefined,
  header: readonly string[],
  rows: readonly (readonly (readonly string[])[])[],
): number[] {
  // Not by spreading them: a list of a hundred thousand is too long for the arguments of a function.
  const widths = (rows[0] ?? []).map((_cell, at) =>
    rows.flatMap((row) => row[at] ?? []).reduce((most, line) => Math.max(most, cells(line)), 0),
  )
  const cuttable = freeText()
  for (
    let excess = widths.reduce((sum, width) => sum + width + 2, -2) - (columns ?? Infinity);
    excess > 0;
    excess -= 1
  ) {
    const widest = Math.max(...widths.filter((_width, at) => cuttable.includes(header[at] ?? '')))
    const at = widths.findIndex((width, each) => width === widest && cuttable.includes(header[each] ?? ''))
    if (at === -1 || widest <= leastWidth) break
    widths[at] = widest - 1
  }
  return widths
}
