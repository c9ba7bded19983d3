import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { expect, it } from 'vitest'

const renderer = join(import.meta.dirname, '../renderer')

it('has each class that a component names in the style sheet that it imports', async () => {
  const names = (await readdir(renderer, { recursive: true })).filter((name) => name.endsWith('.tsx'))
  const missing: string[] = []
  let count = 0
  for (const name of names) {
    const path = join(renderer, name)
    const source = await readFile(path, 'utf8')
    for (const [, variable = '', sheet = ''] of source.matchAll(
      /^import (\w+) from '(\.[^']+\.module\.css)'/gm,
    )) {
      const css = await readFile(join(dirname(path), sheet), 'utf8')
      const classes = new Set([...css.matchAll(/\.([A-Za-z][\w-]*)/g)].map(([, each]) => each))
      for (const [, used] of source.matchAll(new RegExp(`(?<![\\w./])${variable}\\.(\\w+)`, 'g'))) {
        count += 1
        if (!classes.has(used)) missing.push(`${relative(renderer, path)}: ${variable}.${String(used)}`)
      }
    }
  }
  expect(count).toBeGreaterThan(100)
  expect(missing).toEqual([])
})
