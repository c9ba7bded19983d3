import type { Fault, FaultInForce } from '../../faults'
import { call, doAndSay } from './control'
import { byId, element } from './dom'

function effect(fault: Fault): string {
  if ('delayMs' in fault) return `comes ${fault.delayMs} ms late`
  if ('slowBodyMs' in fault) return `takes ${fault.slowBodyMs} ms to arrive`
  if ('reset' in fault) {
    return fault.afterBytes === undefined ? 'reset' : `reset after ${fault.afterBytes} bytes of the request`
  }
  if ('truncate' in fault) return 'breaks off half-way'
  if ('malformed' in fault) return 'loses its second half'
  const parts = [
    ...(fault.status === undefined ? [] : [String(fault.status)]),
    ...(fault.headers === undefined ? [] : [`headers ${Object.keys(fault.headers).join(', ')}`]),
    ...(fault.body === undefined ? [] : ['another body']),
  ]
  return parts.join(', ')
}

function sentence({ match, every, times, fault }: FaultInForce): string {
  const query = match.query === undefined ? '' : `?${new URLSearchParams(match.query).toString()}`
  const target = `${match.method?.toUpperCase() ?? 'any'} ${match.path ?? '*'}${query}`
  const often = [
    every === undefined ? '' : `, every ${every}th`,
    times === undefined ? '' : `, ${times} more`,
  ]
  return `${target} → ${effect(fault)}${often.join('')}`
}

/** Shows the faults in force, each with a button that removes it. */
export function showFaults(faults: FaultInForce[]): void {
  byId('no-faults', HTMLParagraphElement).hidden = faults.length > 0
  byId('faults', HTMLUListElement).replaceChildren(
    ...faults.map((fault) => {
      const text = sentence(fault)
      const remove = () => {
        doAndSay(call('DELETE', `/faults/${encodeURIComponent(fault.id)}`), 'The fault is removed.')
      }
      return element(
        'li',
        {},
        element('span', { class: 'mono' }, text),
        element('button', { class: 'small', 'aria-label': `Remove ${text}`, onclick: remove }, 'Remove'),
      )
    }),
  )
}
