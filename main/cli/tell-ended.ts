import type { EndedTunnel } from '../app/instance-endings'
import { t } from './language'
import type { Terminal } from './terminal'

/** Prints a note about the tunnel to an instance after a logout or removal. */
export function tellEnded(terminal: Terminal, instanceId: string, ended: EndedTunnel): void {
  if (ended === 'ended') terminal.note(t('terminal.connection.disconnectedFrom', { instance: instanceId }))
  if (ended === 'unknown') terminal.note(t('terminal.connection.notResponding'))
}
