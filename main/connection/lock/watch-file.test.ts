import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { watchFile } from './watch-file'

it('reports that a file has come and gone, and nothing of its neighbours', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-watch-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const [file, neighbour] = [join(folder, 'tunnel.sock'), join(folder, 'settings.json')]
  const reports: string[] = []
  for (const path of [file, neighbour]) {
    const stop = watchFile(path, () => reports.push(path))
    onTestFinished(() => stop?.())
  }
  await writeFile(neighbour, '')
  await expect.poll(() => reports).not.toEqual([])
  expect(new Set(reports)).toEqual(new Set([neighbour]))
  for (const change of [() => writeFile(file, ''), () => rm(file)]) {
    reports.length = 0
    await change()
    await expect.poll(() => reports).toContain(file)
  }
})

it('cannot watch in a folder that is missing', () => {
  expect(watchFile('/nonexistent/tunnel.sock', () => undefined)).toBeUndefined()
})
