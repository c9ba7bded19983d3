import { describe, expect, it } from 'vitest'
import type { PeersResults } from './peers'
import type { PeerFigures } from './peers-process'
import { withPeers } from './performance-page'

const peer = (name: string, milliseconds: number): PeerFigures => ({
  name,
  protocol: 'wireguard',
  firstAnswerMs: [milliseconds],
  processorMs: [milliseconds],
  memoryMb: [milliseconds],
  lost: [milliseconds, null],
  noticedSeconds: name === 'wg-quick' ? [] : [null],
})

function resultsOf(ms: number): PeersResults {
  return {
    peers: [peer('Causeway', ms), peer('wg-quick', 10)],
    missing: [{ name: 'another one', why: 'it needs a kernel\nwith more' }],
    rounds: 1,
    date: '2026-01-01',
    load: [1, 2],
    hasSystemd: false,
    isKernel: false,
    versions: { openvpn: '2.6' },
  }
}

describe('the section about peers', () => {
  it('is replaced, and leaves the rest of the page alone', () => {
    const once = withPeers('# Performance\n\nText\n', resultsOf(20))
    expect(once).toMatch(/^# Performance\n\nText\n\n<!-- peers -->/)
    expect(once).toContain('| 2.00 |')
    const twice = withPeers(`${once}\n## Another\n`, resultsOf(5))
    expect(twice.match(/## Beside what people/g)).toHaveLength(1)
    expect(twice).toContain('3 of 3 goals')
    expect(twice).toMatch(/<!-- \/peers -->\n\n## Another\n$/)
  })

  it('says what did not run, and what never came back', () => {
    const text = withPeers('', resultsOf(20))
    expect(text).toContain('**another one** is not measured: it needs a kernel.')
    expect(text).toContain('no answer within 30 s')
    expect(text).toContain('not within 75 s')
    expect(text).toContain('it has no such message')
  })
})
