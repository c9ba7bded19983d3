import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import packageJson from '../package.json' with { type: 'json' }

const templates = join(import.meta.dirname, '../build/recipes')

/**
 * Writes the recipes of other package managers (build/recipes) for the packages in `sums`, by their names, with their SHA-256. One
 * whose packages weren't made is left out.
 *
 * @param base the address of the folder of the packages, with a slash at its end
 * @returns the names of what was written
 */
export async function writeRecipes(
  sums: ReadonlyMap<string, string>,
  folder: string,
  base = `${packageJson.homepage}/releases/${packageJson.version}/`,
): Promise<string[]> {
  await mkdir(folder, { recursive: true })
  const written: string[] = []
  for (const name of (await readdir(templates)).sort()) {
    const recipe = filled(await readFile(join(templates, name), 'utf8'), sums, base)
    if (recipe === undefined) continue
    await writeFile(join(folder, name), recipe)
    written.push(name)
  }
  return written
}

/** Returns a recipe, of which `{{sha256 PATTERN}}` and its like name a package; undefined if there isn't exactly one for each. */
function filled(template: string, sums: ReadonlyMap<string, string>, base: string): string | undefined {
  const missing: string[] = []
  const recipe = template.replaceAll(/\{\{(\w+)(?: (\S+))?\}\}/g, (_, what: string, pattern = '') => {
    if (what === 'version') return packageJson.version
    if (what === 'homepage') return packageJson.homepage
    const [start = '', end = ''] = String(pattern).split('*')
    const [file, ...others] = [...sums.keys()].filter((each) => each.startsWith(start) && each.endsWith(end))
    if (file === undefined || others.length > 0) missing.push(String(pattern))
    if (what === 'file') return file ?? ''
    return what === 'address' ? `${base}${encodeURIComponent(file ?? '')}` : (sums.get(file ?? '') ?? '')
  })
  return missing.length === 0 ? recipe : undefined
}
