import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { appsHere } from './apps-here'

async function asked(
  given: {
    readonly groups?: 'alone' | 'beside' | 'none'
    readonly nft?: string
    readonly manager?: boolean
    readonly systemd?: boolean
  } = {},
) {
  const {
    groups = 'alone',
    nft = 'nftables v1.0.6 (Lester Gooch #5)',
    manager = true,
    systemd = true,
  } = given
  const folder = await mkdtemp(join(tmpdir(), 'here-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const hierarchies = [folder, join(folder, 'unified')] as const
  await mkdir(hierarchies[1])
  const place = { alone: hierarchies[0], beside: hierarchies[1], none: undefined }[groups]
  if (place !== undefined) await writeFile(join(place, 'cgroup.controllers'), '')
  const helper = join(folder, 'helper')
  await writeFile(helper, '', { mode: 0o755 })
  return appsHere({
    platform: 'linux',
    helper,
    hierarchies,
    nftVersion: () => Promise.resolve(nft),
    hasManager: () => Promise.resolve(manager),
    systemdRuns: () => systemd,
  })
}

it.runIf(process.platform === 'linux')(
  'divides apps where version 2 of control groups is, also beside version 1',
  async () => {
    expect(await asked()).toBe('available')
    expect(await asked({ groups: 'beside' })).toBe('available')
    expect(await asked({ manager: false, systemd: false })).toBe('running-only')
  },
)

it.runIf(process.platform === 'linux')('names the part that is missing', async () => {
  expect(await asked({ groups: 'none' })).toBe('no-cgroups')
  expect(await asked({ nft: 'nftables v0.9.8 (E.D.S.)' })).toBe('no-nft')
  expect(await asked({ manager: false })).toBe('no-manager')
})
