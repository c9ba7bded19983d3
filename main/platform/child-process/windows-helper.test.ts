import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { askWindowsHelper, helperOf } from './windows-helper'

async function folder(...path: readonly string[]): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'causeway-helper-'))
  onTestFinished(() => rm(made, { recursive: true, force: true }))
  const inside = join(made, ...path)
  await mkdir(inside, { recursive: true })
  return inside
}

it('takes the helper of the package or the source tree, and looks in no other folder', async () => {
  const resources = await folder('resources')
  const app = join(resources, 'app.asar')
  await mkdir(join(app, 'out', 'main'), { recursive: true })
  await writeFile(join(app, 'package.json'), '{}')
  expect(helperOf(join(app, 'out', 'main'))).toBe(join(resources, 'helper', 'causeway-helper.exe'))

  const tree = await folder('causeway')
  await writeFile(join(tree, 'package.json'), '{}')
  expect(helperOf(join(tree, 'main', 'platform'))).toBe(join(tree, 'out', 'helper', 'causeway-helper.exe'))

  const elsewhere = await folder('main')
  expect(helperOf(elsewhere)).toBe(join(elsewhere, 'causeway-helper.exe'))
})

it('takes an answer of the expected form only', async () => {
  const ask = (script: string) =>
    askWindowsHelper(z.object({ running: z.boolean() }), [process.execPath, '-e', script])
  expect(await ask('console.log(\'{"running":true}\')')).toEqual({ running: true })
  for (const script of ['', 'console.log("yes")', 'console.log("{}")', 'throw 1'])
    expect(await ask(script), script).toBeUndefined()
  expect(await ask('console.log(\'{"running":true}\'); process.exitCode = 65')).toBeUndefined()
})

it('takes no answer that does not end, even if the helper has', async () => {
  // The helper's end leaves its output to another process; one that isn't detached ends with it on Windows.
  const script = `
    const { spawn } = require('node:child_process')
    const { pid } = spawn(process.execPath, ['-e', 'setTimeout(() => undefined, 30_000)'], { detached: true, stdio: ['ignore', 'inherit', 'ignore'] })
    console.log(pid)
    process.exit()
  `
  const answered = Date.now()
  expect(await askWindowsHelper(z.number(), [process.execPath, '-e', script], 1000)).toBeUndefined()
  expect(Date.now() - answered).toBeLessThan(15_000)
})
