import type { ErrorCode } from '../../contract/error-codes'
import { report } from '../errors'
import type { Terminal } from './terminal'

/** The codes whose variant `unreadable` counts the records of a list that are left out. */
type Counting = Extract<ErrorCode, 'vpn-api/invalid-response' | 'organization-list/invalid-document'>

/** Says how many records of a list can't be read and aren't shown. */
export function tellUnreadable(terminal: Pick<Terminal, 'notice'>, code: Counting, unreadable: number): void {
  if (unreadable > 0) terminal.notice(report(code, { variant: 'unreadable', details: { unreadable } }))
}
