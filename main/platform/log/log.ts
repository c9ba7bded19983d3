import { printableJson } from '../../../contract/safe-text'
import { LogFile } from './log-file'
import { logFields } from './log-fields'

type LogLevel = 'info' | 'warning' | 'error'

/** The part of Causeway that writes the event. */
type LogPart = 'app' | 'window' | 'connection' | 'http' | 'openvpn' | 'command'

/**
 * Records events. Only the fields and words of an allow-list are written (log-fields.ts, known-words.ts), so that callers may
 * pass errors and states as they are. Never throws.
 */
export interface Log {
  write(level: LogLevel, part: LogPart, event: string, fields?: object): void
  /** Resolves when all events are in the file. */
  flush(): Promise<void>
}

/** Creates the log in `<folder>/causeway.log`, with one JSON object per line (docs/log.md). */
export function createLog(options: { readonly folder: string; readonly now: () => Date }): Log {
  const { now } = options

  function line(level: LogLevel, part: LogPart, event: string, fields: object): string {
    return printableJson({
      time: now().toISOString(),
      level,
      part,
      event,
      fields: logFields(fields),
    })
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
