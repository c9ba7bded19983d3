import type { EndedTunnel } from '../app/services'
import type { Terminal } from './terminal'

/** Prints a note about the tunnel to an instance after a logout or removal. */
export function tellEnded(terminal: Terminal, instanceId: string, ended: EndedTunnel): void {
  if (ended === 'ended') terminal.note(`Disconnected from ${instanceId}.`)
  if (ended === 'unknown')
    terminal.note(
      "Another Causeway process isn't responding, and may still be connected. To disconnect it, quit that process.",
    )
}
