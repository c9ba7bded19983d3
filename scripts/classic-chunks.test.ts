import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { build } from 'vite'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { classicChunks, requireNoCycle } from './classic-chunks'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-chunks-'))
})
afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

/** Builds a page whose first script imports another one later; both share a module. */
async function built(
  more: Readonly<Record<string, string>> = {},
): Promise<{ readonly entry: string; readonly page: string }> {
  const files = {
    'index.html': '<!doctype html><head></head><script type="module" src="./main.js"></script>',
    'main.js': `import { shared } from './shared.js'
      shared.push('main')
      globalThis.later = () => import('./later.js').then(({ words }) => words())`,
    'later.js': "import { shared } from './shared.js'; export const words = () => [...shared, 'later']",
    'shared.js': 'export const shared = []',
    ...more,
  }
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  await build({
    root: folder,
    configFile: false,
    logLevel: 'silent',
    plugins: [classicChunks()],
    build: { minify: true, modulePreload: false, rolldownOptions: { output: { format: 'cjs' } } },
  })
  const page = await readFile(join(folder, 'dist/index.html'), 'utf8')
  return { page, entry: /src="\/(assets\/[^"]+)"/.exec(page)?.[1] ?? '' }
}

/** Runs scripts as a page does; `missing` makes the next script that is added fail. */
function browser(): {
  run(file: string): Promise<void>
  missing: boolean
  readonly page: Record<string, unknown>
} {
  const parts = {
    missing: false,
    // Vite's import() tells the page of a failure.
    page: {
      Event,
      window: { dispatchEvent: () => true },
      scheduler: { yield: () => new Promise<void>((resolve) => setImmediate(resolve)) },
    } as Record<string, unknown>,
    async run(file: string) {
      runInNewContext(await readFile(join(folder, 'dist', file), 'utf8'), parts.page)
    },
  }
  interface Script {
    src: string
    onload(): void
    onerror(): void
    remove(): void
  }
  parts.page.document = {
    currentScript: { src: 'app://page/assets/main.js' },
    createElement: () => ({ remove: () => undefined }),
    head: {
      append(script: Script) {
        const fails = parts.missing
        parts.missing = false
        if (fails) script.onerror()
        else
          void parts.run(new URL(script.src).pathname).then(() => {
            script.onload()
          })
      },
    },
  }
  return parts
}

it('names one classic script in the page, which loads the others when they are imported', async () => {
  const { page, entry } = await built()
  expect(page.match(/<script[^>]*>/g)).toEqual([`<script defer src="/${entry}">`])
  const chromium = browser()
  await chromium.run(entry)
  const later = chromium.page.later as () => Promise<string[]>
  expect(await later()).toEqual(['main', 'later'])
  expect(await later()).toEqual(['main', 'later'])
})

it("rejects an import whose script can't be loaded, and tries again the next time", async () => {
  const { entry } = await built()
  const chromium = browser()
  await chromium.run(entry)
  const later = chromium.page.later as () => Promise<string[]>
  chromium.missing = true
  await expect(later()).rejects.toThrow('could not be loaded')
  expect(await later()).toEqual(['main', 'later'])
})

it('rejects an import whose script throws, the second time as well', async () => {
  const { entry } = await built({ 'later.js': "throw new Error('broken')" })
  const chromium = browser()
  await chromium.run(entry)
  const later = chromium.page.later as () => Promise<unknown>
  await expect(later()).rejects.toThrow('broken')
  await expect(later()).rejects.toThrow('broken')
})

it('refuses chunks that import each other, which would be waited for without end', () => {
  const importsOf = new Map([
    ['entry.js', ['one.js']],
    ['one.js', ['other.js']],
    ['other.js', ['one.js']],
  ])
  expect(() => {
    requireNoCycle(importsOf)
  }).toThrow('entry.js, one.js, other.js, one.js')
})
