import { execFileSync, spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { owner } from '../../alive'
import { closeNamespace, openNamespace } from './namespace'
import { requireProgram } from './programs'

const namespaces = () => execFileSync(requireProgram('ip'), ['netns', 'list']).toString()
const devices = () => execFileSync(requireProgram('ip'), ['-o', 'link']).toString()

/** Returns how a process that has ended would have named what it owns. */
function deadOwner(): string {
  return owner.replace(/\d+$/, String(spawnSync(process.execPath, ['-e', '']).pid))
}

it.runIf(process.platform === 'linux')(
  'removes the namespaces of killed mocks and its own, and creates nothing without permission',
  async () => {
    const stale = `causeway-mock-59-${deadOwner()}`
    const isPermitted = spawnSync(requireProgram('ip'), ['netns', 'add', stale]).status === 0
    const opened = await openNamespace().catch(() => undefined)
    expect(opened !== undefined).toBe(isPermitted)
    if (opened === undefined) return
    expect(namespaces()).not.toContain(stale)
    expect(namespaces()).toContain(opened.name)
    expect(devices()).toContain(opened.device)
    await closeNamespace(opened)
    expect(namespaces()).not.toContain(opened.name)
    expect(devices()).not.toContain(`${opened.device}@`)
  },
)

it('gives concurrent mocks different addresses', async () => {
  const opened = (await Promise.allSettled([openNamespace(), openNamespace()])).flatMap((attempt) =>
    attempt.status === 'fulfilled' ? [attempt.value] : [],
  )
  try {
    expect([0, 2]).toContain(opened.length)
    expect(new Set(opened.map(({ serverAddresses }) => serverAddresses.other)).size).toBe(opened.length)
  } finally {
    await Promise.all(opened.map(closeNamespace))
  }
})
