import Table from 'cli-table3'
import type { ErrorReport } from '../../contract/error-codes'
import { printableJson } from '../platform/http/printable'
import { printable, printableLine } from './output'

/**
 * The terminal as the commands see it: results go to standard output, everything else to standard error. Any text may come
 * from a server: what could control the terminal is taken out, and escaped in JSON.
 */
export class Terminal {
  readonly json: boolean
  readonly verbose: boolean
  readonly #warnings: ErrorReport[] = []

  constructor(options: { readonly json: boolean; readonly verbose: boolean }) {
    this.json = options.json
    this.verbose = options.verbose
  }

  /** The result of a command: the value with `--json`, else the text. */
  result(value: unknown, text: string): void {
    process.stdout.write(`${this.json ? printableJson(value) : printable(text)}\n`)
  }

  /** What a person may like to know meanwhile; nothing with `--json`. */
  note(text: string): void {
    if (!this.json) process.stderr.write(`${printable(text)}\n`)
  }

  /** Shown with `--verbose` only. */
  detail(text: string): void {
    if (!this.verbose) return
    process.stderr.write(this.json ? `${printableJson({ log: text })}\n` : `  ${printable(text)}\n`)
  }

  /** With `--json` it is held back to the end, so that an error is the only line on standard error. */
  warn(report: ErrorReport): void {
    if (this.json) this.#warnings.push(report)
    else process.stderr.write(`Warning: ${printableLine(report.message)}\n`)
  }

  /** What is worth knowing at once, on standard error also with `--json`. */
  notice(report: ErrorReport): void {
    process.stderr.write(`${this.json ? printableJson({ notice: report }) : printableLine(report.message)}\n`)
  }

  error(report: ErrorReport): void {
    const warnings = this.#warnings.splice(0)
    const line = { error: report, ...(warnings.length === 0 ? {} : { warnings }) }
    process.stderr.write(
      this.json
        ? `${printableJson(line)}\n`
        : `causeway: ${printableLine(report.message)} (${report.code})\n`,
    )
  }

  /** The end of the command: says what was held back. */
  end(): void {
    for (const warning of this.#warnings.splice(0)) process.stderr.write(`${printableJson({ warning })}\n`)
  }
}

/** Rows as a table with a header, without lines; control characters of server texts are taken out. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const printed = new Table({
    head: [...header],
    chars: {
      top: '',
      'top-mid': '',
      'top-left': '',
      'top-right': '',
      bottom: '',
      'bottom-mid': '',
      'bottom-left': '',
      'bottom-right': '',
      left: '',
      'left-mid': '',
      mid: '',
      'mid-mid': '',
      right: '',
      'right-mid': '',
      middle: '  ',
    },
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
  })
  for (const row of rows) printed.push(row.map(printable))
  return printed.toString().replaceAll(/ +$/gm, '')
}
