import { type Figure, goalOf, inDigits, summarize } from './figure'
import { median } from './median'
import { type PeersResults, peersFigures } from './peers'
import type { RequestCount } from './requests'

export interface Results {
  readonly date: string
  readonly machine: Readonly<Record<'processor' | 'memory' | 'system' | 'node' | 'openVpn', string>>
  readonly figures: Readonly<Record<string, readonly Figure[]>>
  readonly requests: readonly RequestCount[]
}

const headings: Readonly<Record<string, string>> = {
  connect: 'Connecting',
  requests: 'The first connection',
  wireguard: 'Through the tunnel',
  apps: 'Apps outside and inside',
  terminal: 'The terminal command',
  window: 'The window',
  files: 'Files',
  'mock-server': 'The mock server',
  parsers: "A server's texts",
}

const cell = (text: string) => text.replaceAll('|', '\\|')

/** Returns `docs/performance.md`. */
export function performancePage({ date, machine, figures, requests }: Results): string {
  const all = Object.values(figures).flat()
  const missed = missedOf(all)
  const withGoal = all.filter(({ goal }) => goal !== undefined)
  const parts = Object.entries(figures).map(([part, of]) =>
    [
      `## ${headings[part] ?? part}`,
      table(['What', 'Beside', 'Is', 'Half of the rounds', 'Goal', ''], of.map(row)),
      ...(part === 'requests' ? [requestTable(requests)] : []),
    ].join('\n\n'),
  )
  return `# Performance

\`npm run bench\` wrote this page (${date}) from one run of its own. What stands side by side took turns in that run, and the ratio
is taken within each round: 1.00 is as fast, as much or as large as what is beside it. The number is the median, with the range
of the middle half of the rounds.

${String(withGoal.length - missed.length)} of ${String(withGoal.length)} goals are met.
${missed.map(({ what, why }) => `\n- **${what}** misses its goal${why === undefined ? '' : `: ${why}`}`).join('')}

The machine: ${machine.processor}, ${machine.memory}, ${machine.system}, Node.js ${machine.node}, OpenVPN ${machine.openVpn}.

![The ratios, with their goals](pictures/performance.svg)

${parts.join('\n\n')}
`
}

function missedOf(figures: readonly Figure[]): Figure[] {
  return figures.filter((figure) => summarize(figure).isMet === false)
}

function row(figure: Figure): string[] {
  const { median, low, high, isMet } = summarize(figure)
  const unit = figure.beside === undefined ? ` ${figure.unit}` : ''
  return [
    figure.what,
    figure.beside?.what ?? '',
    `${inDigits(median)}${unit}`,
    figure.own.length > 1 ? `${inDigits(low)}–${inDigits(high)}` : '',
    goalOf(figure),
    isMet === false ? '**missed**' : '',
  ]
}

function requestTable(requests: readonly RequestCount[]): string {
  return table(
    ['API version', 'Connection', 'Requests'],
    requests.map(({ api, connection, requests: made }) => [
      String(api),
      connection,
      made.map((request) => `\`${request}\``).join(', '),
    ]),
  )
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows.map((cells) => cells.map(cell))]
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

const marked = /<!-- peers -->.*<!-- \/peers -->\n/s

/** Returns the text of `docs/performance.md` with these results in the section about peers, at its end if it has none. */
export function withPeers(page: string, results: PeersResults): string {
  const text = `<!-- peers -->\n\n${peersSection(results)}\n\n<!-- /peers -->\n`
  return marked.test(page) ? page.replace(marked, () => text) : `${page}\n${text}`
}

function peersSection(results: PeersResults): string {
  const { date, load, hasSystemd, isKernel, versions, peers, missing, rounds } = results
  const figures = peersFigures(results)
  const met = figures.filter((figure) => summarize(figure).isMet === true)
  const used = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
  const held = peers.map(({ name, protocol, lost, noticedSeconds }) => [
    `${name}, ${protocol === 'openvpn' ? 'OpenVPN' : 'WireGuard'}`,
    // Without an answer, it lost more than it could count.
    lost.length === 0
      ? ''
      : lost.includes(null)
        ? 'no answer within 30 s'
        : inDigits(median(lost.map(Number))),
    noticedSeconds.length === 0
      ? 'it has no such message'
      : noticedSeconds
          .map((seconds) => (seconds === null ? 'not within 75 s' : `${inDigits(seconds)} s`))
          .join(', '),
  ])
  return `## Beside what people would use instead

\`npm run bench -- peers\` wrote this section (${date}) from one run of ${String(rounds)} rounds, in which all of them took turns. All packages
are Debian's: ${used.join(', ')}. The load average was ${inDigits(load[0])} before the run and ${inDigits(load[1])} after it, on a computer with
two processors. ${isKernel ? "WireGuard was the kernel's." : 'The kernel has no WireGuard: all run wireguard-go.'} ${String(met.length)} of ${String(figures.length)} goals are met: the goal is to be ahead of each.

Time runs from the order to connect until the first packet through the tunnel is answered. Everybody has the configuration already, and
what waits for orders runs: NetworkManager, and Causeway's part that makes tunnels, in Node.js, without window and portal. Processor time and
memory are those of all processes of each, until 0.3 s after the first answer; memory that several share, also with
programs that aren't measured, counts in parts. Causeway's helper is started after the order, too: in the app it gets ready while the
portal answers.

Of the processor time of connecting and disconnecting with OpenVPN, 16 ms are those of Node.js (44 to 65 ms at the first one of a process, while functions are
compiled; the start of Node.js isn't counted), and 38 ms those of the processes that it starts: OpenVPN, the helper, the helper's watcher,
which takes routes and rules back should the helper be killed, \`nft\`, whose rules guard the tunnel's addresses, and \`ip\`. With own rights,
without helper, watcher and nft, they take 20 ms. Each of these starts also waits for a processor on a busy computer, before the first
answer. The memory is that of Node.js, and doesn't grow: the heap of one process had 27.8 MB after 40 connections, and 28.0 MB after 400,
with fewer objects in it and 0.4 MB more of compiled code.
${hasSystemd ? '' : '\nNo systemd runs here: the line `ExecStart` of `openvpn-client@.service` was run instead, and NetworkManager on a system bus of its own.\n'}${missing.map(({ name, why }) => `\n- **${name}** is not measured: ${why.split('\n')[0] ?? ''}.`).join('')}

${table(['What', 'Beside', 'Is', 'Half of the rounds', 'Goal', ''], figures.map(row))}

${table(
  ['', 'Causeway', 'The other'],
  figures.map(({ what, unit, own, beside }) => [
    `${what}, ${beside?.what ?? ''}`,
    `${inDigits(median(own))} ${unit}`,
    `${inDigits(median(beside?.values ?? []))} ${unit}`,
  ]),
)}

Then the computer changed to another network with another address (three times; the median), while a packet passed every 10 ms. Last, the
server fell silent, while packets went on. Causeway's part heard of the network as its connection does: WireGuard looked for its server
again, and OpenVPN was started again. NetworkManager shows in the state of its connection that a server is silent.

${table(['', 'Packets lost on a change of network', 'Says that the server is silent after'], held)}`
}

const [width, lineHeight, left, right] = [880, 26, 470, 60]

/** Returns a picture of the ratios: a dot for the median, a line for the middle half, and a tick for the goal. */
export function performancePlot(figures: Results['figures']): string {
  const ratios = Object.values(figures)
    .flat()
    .filter(({ beside }) => beside !== undefined)
  const place = (value: number) => {
    // From a tenth to ten times, and what is outside at the edge.
    const part = (Math.log10(Math.min(10, Math.max(0.1, value))) + 1) / 2
    return (left + part * (width - left - right)).toFixed(1)
  }
  const lines = ratios.map((figure, index) => {
    const { median, low, high, isMet } = summarize(figure)
    const y = lineHeight * (index + 2)
    const colour = isMet === false ? '#c2410c' : '#0f766e'
    const limit = figure.goal && ('atMost' in figure.goal ? figure.goal.atMost : figure.goal.atLeast)
    const tick =
      limit === undefined
        ? ''
        : `<path d="M${place(limit)} ${String(y - 9)}v18" stroke="#6b7280" stroke-dasharray="3 2"/>`
    return `<text x="8" y="${String(y + 4)}">${escaped(figure.what)}</text>${tick}<path d="M${place(low)} ${String(y)}H${place(high)}" stroke="${colour}" stroke-width="4" stroke-linecap="round"/><circle cx="${place(median)}" cy="${String(y)}" r="5" fill="${colour}"/><text x="${String(width - 8)}" y="${String(y + 4)}" text-anchor="end">${inDigits(median)}</text>`
  })
  const height = lineHeight * (ratios.length + 2)
  const scale = [0.1, 0.3, 1, 3, 10].map(
    (value) =>
      `<path d="M${place(value)} 30V${String(height - 12)}" stroke="#d1d5db"/><text x="${place(value)}" y="22" text-anchor="middle">${String(value)} ×</text>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${String(width)}" height="${String(height)}" font-family="system-ui, sans-serif" font-size="12" fill="#374151">
<rect width="100%" height="100%" fill="#fff"/>
${[...scale, ...lines].join('\n')}
</svg>
`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
