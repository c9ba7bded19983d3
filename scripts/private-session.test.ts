import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, it } from 'vitest'
import { privateSession, runInPrivateSession } from './private-session'

/** The demo and the e2e tests depend on this on machines without a desktop session. */
it('has a key store that works immediately, and leaves no files behind', async () => {
  const session = await privateSession({ display: false })
  const cli = join(import.meta.dirname, '..', 'main', 'cli.ts')
  const [program, ...args] = session.wrap([process.execPath, '--import', 'tsx', cli, 'doctor', '--json'])
  const { stdout } = await execa(program, args, { env: session.env, timeout: 60_000 })
  await session.remove()
  expect(JSON.parse(stdout)).toContainEqual({
    name: 'key-store',
    status: 'ok',
    code: 'key-store-ready',
    detail: 'The key store works: Causeway wrote an entry and read it back.',
  })
  expect(Object.values(session.env).filter((folder) => existsSync(folder))).toEqual([])
})

it('returns the exit status of its command', async () => {
  expect(await runInPrivateSession([process.execPath, '-e', 'process.exit(3)'], { display: false })).toBe(3)
})
