import { z } from 'zod'
import { createJsonFile } from './json-file'

/** Adds names to a file one by one; its arguments are the file, a prefix, and their number. */
const [path = '', prefix = '', count = '0'] = process.argv.slice(2)
const file = createJsonFile({
  path,
  schema: z.object({ names: z.array(z.string()) }),
  version: 1,
  empty: { names: [] },
  now: () => new Date(),
})
for (let index = 0; index < Number(count); index += 1) {
  await file.update(({ names }) => ({ names: [...names, `${prefix}${index}`] }))
}
