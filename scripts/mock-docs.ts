import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { commandLine } from '../mock-server/command-line'
import { createMockServer, type MockClient } from '../mock-server/server'
import { formatText } from './format-text'
import { answerHelp } from './help'

const docs = join(import.meta.dirname, '..', 'docs')

const documentSchema = z.object({
  info: z.object({ title: z.string() }),
  paths: z.record(z.string(), z.record(z.string(), z.object({ summary: z.string() }))),
})
const described = z.object({ description: z.string().optional() })
const faultSchemas = z.object({
  components: z.object({
    schemas: z.object({
      Fault: z.object({ anyOf: z.array(z.object({ properties: z.record(z.string(), described) })) }),
      ActiveFault: z.object({ properties: z.record(z.string(), described) }),
    }),
  }),
})

const interfaces = [
  'vpn',
  'vpn3',
  'discovery',
  'attachments',
  'storage',
  'content',
  'organizations',
  'control',
] as const

const partTitles = {
  general: 'Everything',
  tls: 'TLS, with `--tls`',
  vpn: 'VPN instance',
  discovery: 'Discovery server',
  attachments: 'Attachments and their storage',
  content: 'Content',
  organizations: 'Organizations',
} as const

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** A table; a text in a cell may contain what separates cells. */
function table(head: readonly [string, string], rows: readonly (readonly [string, string])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), '| --- | --- |', ...rows.map(line)].join('\n')
}

function options(): string {
  const rows = commandLine().options.map(({ flags, description, argChoices, defaultValue }) => {
    const choices =
      argChoices === undefined ? [] : [`one of ${argChoices.map((one) => `\`${one}\``).join(', ')}`]
    const isShown = ['string', 'number'].includes(typeof defaultValue)
    const ends = [...choices, ...(isShown ? [`default \`${String(defaultValue)}\``] : [])]
    const does = description.replaceAll(/(?<![\w-])--[a-z-]+/g, '`$&`')
    return [`\`${flags}\``, [does, ...ends].join('; ')] as const
  })
  return table(['Option', 'Does'], rows)
}

async function scenarios(mock: MockClient): Promise<string> {
  const all = await mock.call('GET /scenarios')
  const lists = Object.entries(partTitles).map(([part, title]) => {
    const lines = all
      .filter((one) => one.part === part)
      .map(({ name, sentence }) => `- \`${name}\`: ${sentence}`)
    return `## ${title}\n\n${lines.join('\n')}`
  })
  return lists.join('\n\n')
}

const openapi = async (mock: MockClient, name: string): Promise<unknown> =>
  (await fetch(`${mock.control}/openapi/${name}.json`)).json()

async function endpoints(mock: MockClient): Promise<string> {
  const lists = interfaces.map(async (name) => {
    const { info, paths } = documentSchema.parse(await openapi(mock, name))
    const lines = Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).map(
        ([method, { summary }]) => `- \`${method.toUpperCase()} ${path}\`: ${summary}`,
      ),
    )
    return `## ${info.title.replace('Causeway mock server: ', '')}\n\n${lines.join('\n')}`
  })
  return (await Promise.all(lists)).join('\n\n')
}

async function faults(mock: MockClient): Promise<Record<'faults' | 'fault-rules', string>> {
  const { Fault, ActiveFault } = faultSchemas.parse(await openapi(mock, 'control')).components.schemas
  const rowsOf = (properties: Record<string, z.infer<typeof described>>) =>
    Object.entries(properties).flatMap(([name, { description }]) =>
      description === undefined ? [] : [[`\`${name}\``, capitalized(description)] as const],
    )
  const parts = new Map(Fault.anyOf.flatMap(({ properties }) => rowsOf(properties)))
  return {
    faults: table(['In `fault`', 'The client gets'], [...parts]),
    'fault-rules': table(['Beside `match`', 'Does'], rowsOf(ActiveFault.properties)),
  }
}

/** Returns the pages with lists of what the mock server has, as they should be. */
export async function pagesWithLists(): Promise<{ file: string; isText: string; shouldBe: string }[]> {
  const mock = await createMockServer({ api: '2,3' })
  try {
    const lists = {
      'mock-options.md': { options: options() },
      'mock-scenarios.md': { scenarios: await scenarios(mock) },
      'mock-endpoints.md': { endpoints: await endpoints(mock) },
      'mock-control.md': await faults(mock),
    }
    return await Promise.all(
      Object.entries(lists).map(async ([name, parts]) => {
        const file = join(docs, name)
        const isText = await readFile(file, 'utf8')
        let text = isText
        for (const [part, list] of Object.entries(parts)) {
          const between = new RegExp(`(<!-- ${part}: .*? -->\n)[^]*?(<!-- /${part} -->)`)
          if (!between.test(text)) throw new Error(`${name} has no place for ${part}.`)
          text = text.replace(between, (_all, start: string, end: string) => `${start}\n${list}\n\n${end}`)
        }
        return { file, isText, shouldBe: await formatText(file, text) }
      }),
    )
  } finally {
    await mock.close()
  }
}

if (process.argv[1] === import.meta.filename) {
  answerHelp(
    'Usage: npx tsx scripts/mock-docs.ts\n\nWrites the lists of options, scenarios, endpoints and faults in docs/mock-*.md.',
  )
  for (const { file, shouldBe } of await pagesWithLists()) await writeFile(file, shouldBe)
}
