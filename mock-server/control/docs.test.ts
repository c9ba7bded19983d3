import { readFileSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { serveMock } from '../test-server'

const path = 'docs/mock-server.md'
/** Set to write the lists into the document instead of comparing them with it. */
const isWriting = process.env.MOCK_WRITE_DOCS === '1'

const { server } = await serveMock()

const control = async (call: string): Promise<unknown> => (await fetch(`${server.control}${call}`)).json()

/** Compares a part of the document, between its two comments, with the expected text. */
function check(part: string, expected: string): void {
  const text = readFileSync(path, 'utf8')
  const between = new RegExp(`(<!-- ${part}: .*? -->\n)(.*?)(<!-- /${part} -->)`, 's')
  if (isWriting)
    writeFileSync(
      path,
      text.replace(between, (_all, start, _old, end) => `${start}\n${expected.trim()}\n\n${end}`),
    )
  expect(between.exec(readFileSync(path, 'utf8'))?.[2]?.trim()).toBe(expected.trim())
}

it('lists every scenario with its sentence in the document', async () => {
  const scenarios = (await control('/scenarios')) as { name: string; part: string; sentence: string }[]
  const titles: Record<string, string> = {
    general: 'Everything',
    tls: 'TLS, with `--tls`',
    vpn: 'VPN instance',
    discovery: 'Discovery server',
    attachments: 'Attachments and their storage',
    content: 'Content',
    organizations: 'Organizations',
  }
  const lists = Object.entries(titles).map(([part, title]) => {
    const lines = scenarios
      .filter((one) => one.part === part)
      .map(({ name, sentence }) => `- \`${name}\`: ${sentence}`)
    return `### ${title}\n\n${lines.join('\n')}\n`
  })
  check('scenarios', lists.join('\n'))
})

it('lists every control call in the document', async () => {
  const { paths } = (await control('/openapi/control.json')) as {
    paths: Record<string, Record<string, { summary: string }>>
  }
  const calls = Object.entries(paths).flatMap(([address, item]) =>
    Object.entries(item).map(
      ([method, { summary }]) => `- \`${method.toUpperCase()} ${address}\`: ${summary}`,
    ),
  )
  check('calls', calls.join('\n'))
})

it('lists every option of the command in the document', () => {
  const text = readFileSync(path, 'utf8')
  const options = [...readFileSync('mock-server/cli.ts', 'utf8').matchAll(/'(--[a-z-]+)/g)].map(
    ([, name]) => name,
  )
  expect(options.length).toBeGreaterThan(10)
  for (const option of options) expect(text).toContain(`| \`${option ?? ''}`)
})
