import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'

const tree = join(import.meta.dirname, '..')
const mantine = join(tree, 'node_modules', '@mantine', 'core')
const list = join(tree, 'renderer', 'ui', 'mantine-styles.ts')

/** Returns the Mantine components that the renderer imports. */
async function usedComponents(): Promise<Set<string>> {
  const used = new Set<string>()
  const files = await readdir(join(tree, 'renderer'), { recursive: true })
  for (const file of files.filter((name) => /\.tsx?$/.test(name))) {
    const source = await readFile(join(tree, 'renderer', file), 'utf8')
    for (const [, names = ''] of source.matchAll(/import \{([^}]*)\} from '@mantine\/core'/g)) {
      for (const [name] of names.matchAll(/\b[A-Z]\w+/g)) used.add(name)
    }
  }
  return used
}

/** Returns the CSS classes of a component and of the components it uses. */
async function classesOf(component: string): Promise<Set<string>> {
  const classes = new Set<string>()
  const seen = new Set<string>()
  const read = async (path: string): Promise<void> => {
    if (seen.has(path)) return
    seen.add(path)
    const source = await readFile(path, 'utf8')
    if (path.endsWith('.module.mjs')) {
      for (const [name] of source.matchAll(/\bm_[0-9a-f]+/g)) classes.add(name)
    }
    for (const [, from = ''] of source.matchAll(/from "(\.[^"]+)"/g)) await read(join(dirname(path), from))
  }
  const file = join(mantine, 'esm', 'components', component, `${component}.mjs`)
  if (existsSync(file)) await read(file)
  return classes
}

it("imports the styles of every Mantine component in use, in Mantine's order", async () => {
  const all = await readFile(join(mantine, 'styles.css'), 'utf8')
  const imported = [...(await readFile(list, 'utf8')).matchAll(/'@mantine\/core\/(styles\/\w[\w-]*\.css)'/g)]
  const sheets = await Promise.all(imported.map(([, path = '']) => readFile(join(mantine, path), 'utf8')))
  const places = sheets.map((sheet) => all.indexOf(sheet.slice(0, 200)))
  expect(places).toEqual(places.toSorted((a, b) => a - b))

  const own = sheets.join('\n')
  const used = await usedComponents()
  expect(used.size).toBeGreaterThan(10)
  for (const component of used) {
    const missing = [...(await classesOf(component))].filter(
      (name) => all.includes(`.${name}`) && !own.includes(`.${name}`),
    )
    expect(missing, `classes of ${component}; look for them in @mantine/core/styles/`).toEqual([])
  }
})
