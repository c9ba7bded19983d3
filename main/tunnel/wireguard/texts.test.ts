import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

import { CausewayError } from '../../errors'
import { parseConfiguration, printConfiguration } from './configuration'
import { writeRequest } from './request'

const folder = path.join(import.meta.dirname, 'texts')
const texts = readdirSync(folder).filter((name) => name.endsWith('.conf'))

/**
 * Returns what a text means: the lines for the helper, which reads them in its own tests (wireguard_test.go), without the
 * private key; after an empty line, what isn't for the helper. Or why the text is refused.
 */
function meaningOf(text: string): string {
  try {
    const configuration = parseConfiguration(text, 'udp')
    expect(printConfiguration(configuration)).not.toContain('QCGBDqCD')
    const { servers, domains } = configuration.dns
    return [
      writeRequest(configuration, Buffer.alloc(32), undefined, undefined)
        .toString()
        .replace(/private-key .*\n/, '\n'),
      ...[...servers, ...domains].map((each) => `dns ${each}\n`),
      ...configuration.notes.map((note) => `note ${note}\n`),
    ].join('')
  } catch (error) {
    if (!(error instanceof CausewayError)) throw error
    const { directive = '', line = '' } = error.details ?? {}
    return `refused ${error.code} ${String(directive)} ${String(line)}\n`
  }
}

/** Texts as portals, routers and people write them: wg-quick takes all but a few. */
describe('a text', () => {
  it.each(texts)('%s', async (name) => {
    const meaning = meaningOf(readFileSync(path.join(folder, name), 'utf8'))
    await expect(meaning).toMatchFileSnapshot(path.join(folder, name.replace('.conf', '.expected')))
  })
})
