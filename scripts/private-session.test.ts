import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, it } from 'vitest'
import { privateSession, runInPrivateSession } from './private-session'

/** What the demo and the e2e tests stand on, wherever the machine itself has no desktop session. */
it('has a key store that works at once, and leaves nothing behind', { timeout: 30_000 }, async () => {
  const session = await privateSession({ display: false })
  const cli = join(import.meta.dirname, '..', 'main', 'cli.ts')
  const [program, ...args] = session.wrap([process.execPath, '--import', 'tsx', cli, 'doctor', '--json'])
  const { stdout } = await execa(program, args, { env: session.env, timeout: 20_000 })
  await session.remove()
  expect(JSON.parse(stdout)).toContainEqual({
    name: 'key-store',
    status: 'ok',
    code: 'key-store-ready',
    detail: 'The key store works: Causeway wrote an entry and read it back.',
  })
  expect(Object.values(session.env).filter((folder) => existsSync(folder))).toEqual([])
})

it("ends with its command's exit status", { timeout: 30_000 }, async () => {
  expect(await runInPrivateSession(['sh', '-c', 'exit 3'], { display: false })).toBe(3)
})
