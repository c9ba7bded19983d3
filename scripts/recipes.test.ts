import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { isNightly } from './nightly-tests'
import { copyTree } from './tree-copy'

// The checks of a whole tree, of which this file needs one for all recipes.
vi.setConfig({ testTimeout: 600_000 })

let tree: string

beforeAll(async () => {
  tree = await mkdtemp(join(tmpdir(), 'causeway-recipes-'))
  await copyTree(tree)
})
afterAll(() => rm(tree, { recursive: true, force: true }))

/** Applies a change to the copy, and collects the files that it changes. */
class Change {
  readonly files = new Set<string>()

  async write(file: string, text: string): Promise<void> {
    this.files.add(file)
    await mkdir(dirname(join(tree, file)), { recursive: true })
    await writeFile(join(tree, file), text)
  }

  /** Puts text before the first place where `place` is. */
  async before(place: string, text: string, file: string): Promise<void> {
    const content = await readFile(join(tree, file), 'utf8')
    expect(content, file).toContain(place)
    await this.write(
      file,
      content.replace(place, () => `${text}${place}`),
    )
  }

  /** Adds texts to a file of each language, of which none may be left in English. */
  async texts(namespace: string, add: Readonly<Record<string, unknown>>): Promise<void> {
    const locales = join(tree, 'contract', 'locales')
    const entries = await readdir(locales, { withFileTypes: true })
    for (const { name } of entries.filter((entry) => entry.isDirectory())) {
      const file = `contract/locales/${name}/${namespace}.json`
      const texts = JSON.parse(await readFile(join(tree, file), 'utf8')) as object
      const translated = JSON.parse(JSON.stringify(add), (_, value: unknown) =>
        typeof value === 'string' && name !== 'en' ? `✓ ${value}` : value,
      ) as object
      await this.write(file, JSON.stringify({ ...texts, ...translated }))
    }
  }
}

const languages = 12

it('each recipe changes the files that it names', async () => {
  const setting = new Change()
  await setting.before(
    '  /** Reconnect when the tunnel is lost. */',
    '  example: z.boolean().default(false),\n',
    'contract/settings.ts',
  )
  await setting.before(
    '      <SettingSwitch name="tunnelProxy" />',
    '      <SettingSwitch name="example" />\n',
    'renderer/features/settings/connection-settings.tsx',
  )
  // By somebody who speaks English alone.
  await setting.before(
    '  "reconnect": {',
    '  "example": { "label": "Example", "text": "Does something that is an example." },\n',
    'contract/locales/en/settings.json',
  )
  expect(setting.files.size).toBe(3)

  const error = new Change()
  await error.before("  'usage/unknown-instance',", "  'usage/example',\n", 'contract/error-codes.ts')
  await error.texts('errors', {
    'usage/example': { what: 'This is an example.', todo: 'Do something else.' },
  })
  await error.before("    'usage/unknown-instance',", "    'usage/example',\n", 'contract/first-steps.ts')
  expect(error.files.size).toBe(2 + languages)

  const view = new Change()
  await view.before("'doctor'] as const", "'example', ", 'contract/views.ts')
  await view.texts('navigation', { example: 'Example' })
  await view.write(
    'renderer/features/example/example-view.tsx',
    "import type { ReactNode } from 'react'\n\nexport function ExampleView(): ReactNode {\n  return <p>An example</p>\n}\n",
  )
  await view.write(
    'renderer/features/example/example-view.test.tsx',
    "import { render, screen } from '@testing-library/react'\nimport { expect, it } from 'vitest'\nimport { ExampleView } from './example-view'\n\nit('shows an example', () => {\n  render(<ExampleView />)\n  expect(screen.getByText('An example')).toBeTruthy()\n})\n",
  )
  await view.before(
    "    case 'doctor':",
    "    case 'example':\n      return <ExampleView />\n",
    'renderer/other-view.tsx',
  )
  await view.before(
    'import { MessagesView }',
    "import { ExampleView } from './features/example/example-view'\n",
    'renderer/other-view.tsx',
  )
  expect(view.files.size).toBe(4 + languages)

  const call = new Change()
  await call.before(
    '  copyText: {',
    '  example: { input: nothing, output: z.string() },\n',
    'contract/commands.ts',
  )
  await call.before(
    '    copyText: (',
    "    example: () => Promise.resolve('an example'),\n",
    'main/commands/commands.ts',
  )
  await call.before(
    '  openContentLink: {',
    "  example: { why: 'An example.' },\n",
    'main/cli/every-command.test.ts',
  )
  expect(call.files.size).toBe(3)

  const endpoint = new Change()
  await endpoint.before(
    "  addRoute(app, 'POST', `${paths.apiBase}/create_keypair`, {",
    `  addRoute(app, 'POST', \`\${paths.apiBase}/example\`, {
    ...apiCall(tags.vpn, 'Returns an example'),
    consumes: ['application/x-www-form-urlencoded'],
    body: documented(z.object({ name: z.string() })),
    response: { 200: envelopeOf('example', z.string()), 401: unauthorized },
    handler: (_request, reply) => sendJson(reply, 200, { example: { ok: true, data: 'an example' } }),
  })
`,
    'mock-server/vpn/api.ts',
  )
  await endpoint.before(
    '  "get /api/vpn/check_certificate": {',
    '  "post /api/vpn/example": { "body": { "name": "My example" } },\n',
    'mock-server/openapi/examples.json',
  )
  expect(endpoint.files.size).toBe(2)

  const language = new Change()
  await language.before("  tr: 'Türkçe',", "  sv: 'Svenska',\n", 'contract/locales/languages.ts')
  await language.before('  tr: () =>', "  sv: () => import('./sv/index'),\n", 'contract/locales/texts.ts')
  await language.before(
    '  tr: () =>',
    "  sv: () => both(import('./sv/terminal.json'), import('./sv/terminal-errors.json')),\n",
    'contract/locales/terminal-texts.ts',
  )
  // Dutch stands for the translation: it has the same plural forms.
  const model = await readdir(join(tree, 'contract/locales/nl'))
  for (const name of model)
    await language.write(
      `contract/locales/sv/${name}`,
      await readFile(join(tree, 'contract/locales/nl', name), 'utf8'),
    )
  const builder = 'electron-builder.yml'
  for (const [place, text] of [
    ['tr, uk]', 'sv, '],
    ['tr_TR, uk_UA]', 'sv_SE, '],
    ["      'GenericName[tr]'", "      'GenericName[sv]': 'VPN-klient'\n"],
    ["      'Comment[tr]'", "      'Comment[sv]': 'Anslut'\n"],
    ["      'Keywords[tr]'", "      'Keywords[sv]': 'VPN;'\n"],
    ["        'Name[tr]': 'Bağlan'", "        'Name[sv]': 'Verbinden'\n"],
    ["        'Name[tr]': 'Bağlantıyı kes'", "        'Name[sv]': 'Verbinding verbreken'\n"],
  ] as const)
    await language.before(place, text, builder)
  await language.before(
    '  <summary xml:lang="tr">',
    '  <summary xml:lang="sv">Anslut</summary>\n',
    'build/linux/org.causeway.app.metainfo.xml',
  )
  const installer = await readFile(join(tree, 'build/windows/texts.nsh'), 'utf8')
  const installerTexts = installer.match(/^LangString \w+ \$\{LANG_DUTCH\} .*\n/gm) ?? []
  await language.before(
    'LangString wrongFolder ${LANG_TURKISH}',
    `${installerTexts.join('').replaceAll('LANG_DUTCH', 'LANG_SWEDISH')}\n`,
    'build/windows/texts.nsh',
  )
  expect(language.files.size).toBe(6 + model.length)
})

it.runIf(isNightly)('everything that checks them passes', async () => {
  const checks = { cwd: tree, preferLocal: true, localDir: tree, reject: false, all: true } as const
  for (const script of ['missing-texts.ts', 'mock-docs.ts']) {
    const { exitCode, all } = await execa('tsx', [`scripts/${script}`], checks)
    expect(exitCode, all).toBe(0)
  }
  expect(await readFile(join(tree, 'docs/mock-endpoints.md'), 'utf8')).toContain('/api/vpn/example')
  expect(await readFile(join(tree, 'contract/locales/to-translate.json'), 'utf8')).toContain(
    'settings.example.text',
  )
  for (const project of ['.', 'renderer']) {
    const { exitCode, all } = await execa('tsc', ['--noEmit', '-p', project], checks)
    expect(exitCode, all).toBe(0)
  }
  const near = [
    'contract/locales',
    'contract/first-steps.test.ts',
    'main/app/policy.test.ts',
    'main/cli/exit-status.test.ts',
    'main/cli/commands/settings.test.ts',
    'main/platform/settings',
    'renderer/features/settings/every-setting.test.tsx',
    'renderer/features/example',
    'mock-server/openapi/examples.test.ts',
    'scripts/electron-builder.test.ts',
    'scripts/mock-docs.test.ts',
  ]
  // The recipe of a setting ends with this: the schema of a policy is written anew.
  const { exitCode, all } = await execa('vitest', ['run', ...near, '--update'], {
    ...checks,
    env: { CI: '', VITEST: '' },
  })
  expect(exitCode, all).toBe(0)
  expect(await readFile(join(tree, 'docs', 'policy.schema.json'), 'utf8')).toContain('"example"')
})
