import { printableJson } from '../../../contract/safe-text'
import { LogFile } from './log-file'
import type { Redactor } from './redactor'

type LogLevel = 'info' | 'warning' | 'error'

/** The part of Causeway that writes the event. */
type LogPart = 'app' | 'window' | 'connection' | 'http' | 'openvpn' | 'command'

/** Records events. Fields may contain anything, including errors: secrets are removed here. Never throws. */
export interface Log {
  write(level: LogLevel, part: LogPart, event: string, fields?: Readonly<Record<string, unknown>>): void
  /** Resolves when all events are in the file. */
  flush(): Promise<void>
}

/** Creates the log in `<folder>/causeway.log`, with one JSON object per line (docs/log.md). */
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
