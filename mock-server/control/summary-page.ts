import { escapeHtml, page } from '../http/page'
import type { TunnelStatus } from '../vpn/tunnel/tunnel'

const calls: [string, string][] = [
  ['POST /_mock/reset', 'back to the seed'],
  ['POST /_mock/clock', '{"advanceSeconds": 3600} or {"now": "2026-11-20T12:00:00Z"}: move the clock'],
  ['GET, POST, DELETE /_mock/faults', 'make the next answers go wrong'],
  ['POST /_mock/tokens/revoke', '{"kind": "access"} or {"kind": "all"}'],
  ['POST /_mock/certificates/revoke', '{"commonName": "…"} or {} for all'],
  ['PUT /_mock/system-messages', 'an array: the messages that the instance shows'],
  ['PUT /_mock/profiles', 'an array: the profiles that the instance offers'],
  ['GET, DELETE /_mock/requests', 'the journal of requests'],
  ['GET /_mock/tunnel', 'the OpenVPN servers behind the profiles'],
]

export interface Summary {
  origin: string
  now: string
  tunnel: TunnelStatus
  profiles: string[]
  faults: number
  requests: number
}

/** The page for people at `/_mock`: what runs, and what can be done with it. */
export function summaryPage(summary: Summary): ReturnType<typeof page> {
  const facts: [string, string][] = [
    ['Instance', `${summary.origin}/`],
    ['Profiles', summary.profiles.join(', ')],
    ['Clock', summary.now],
    ['Tunnel', summary.tunnel.mode],
    ['Faults waiting', String(summary.faults)],
    ['Requests in the journal', String(summary.requests)],
  ]
  const terms = facts.map(([term, fact]) => `<dt>${escapeHtml(term)}</dt><dd>${escapeHtml(fact)}</dd>`)
  const rows = calls.map(
    ([call, does]) => `<tr><td><code>${escapeHtml(call)}</code></td><td>${escapeHtml(does)}</td></tr>`,
  )
  return page(
    'Mock instance',
    `<dl>${terms.join('\n')}</dl>
<h2>What can be done</h2>
<table>${rows.join('\n')}</table>`,
  )
}
