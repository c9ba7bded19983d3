import { printableJson } from '../http/printable'
import { LogFile } from './log-file'
import type { Redactor } from './redactor'

export type LogLevel = 'info' | 'warning' | 'error'

/** Which part of Causeway speaks. */
export type LogPart = 'app' | 'window' | 'connection' | 'http' | 'openvpn' | 'command'

/** One line of the log. */
export interface LogEntry {
  /** ISO 8601, UTC. */
  readonly time: string
  readonly level: LogLevel
  readonly part: LogPart
  readonly event: string
  readonly fields: Readonly<Record<string, unknown>>
}

/** Where events are written down. Fields may hold anything, errors included: secrets are taken out here. Never throws. */
export interface Log {
  write(level: LogLevel, part: LogPart, event: string, fields?: Readonly<Record<string, unknown>>): void
  /** Resolves when everything is in the file. */
  flush(): Promise<void>
}

/** The log in `<folder>/causeway.log`, one JSON object a line (docs/log.md). */
export function createLog(options: {
  readonly folder: string
  readonly redactor: Redactor
  readonly now: () => Date
}): Log {
  const { redactor, now } = options

  function line(
    level: LogLevel,
    part: LogPart,
    event: string,
    fields: Readonly<Record<string, unknown>>,
  ): string {
    const entry = { time: now().toISOString(), level, part, event: redactor.text(event) }
    return printableJson({ ...entry, fields: redactor.value(fields) })
  }

  const file = new LogFile({
    folder: options.folder,
    lostLines: (count) => line('warning', 'app', 'lines-lost', { count }),
  })
  return {
    write: (level, part, event, fields = {}) => {
      file.append(line(level, part, event, fields))
    },
    flush: () => file.flush(),
  }
}
