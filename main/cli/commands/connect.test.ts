import { expect, it } from 'vitest'
import { settingsSchema } from '../../../contract/settings'
import type { KillSwitchSlice } from '../../../contract/state'
import { releaseTraffic } from './connect'

/** Lifts the kill switch with this setting, which the policy may set. Returns the output. */
async function released(
  killSwitch: boolean,
  managed: readonly 'killSwitch'[],
  { here, blocks }: KillSwitchSlice = { here: 'available', blocks: true },
): Promise<unknown[]> {
  const output: unknown[] = []
  const unused = () => Promise.reject(new Error('unused'))
  await releaseTraffic({
    services: {
      killSwitch: {
        here: () => Promise.resolve(here),
        blocks: () => blocks,
        check: () => Promise.resolve(blocks),
        watch: () => () => undefined,
      },
      settings: {
        all: () => Promise.resolve({ ...settingsSchema.parse({}), killSwitch }),
        managed: () => Promise.resolve([...managed]),
        language: unused,
        get: unused,
        set: unused,
        onChange: () => () => undefined,
      },
    },
    run: () => Promise.resolve('released'),
    terminal: { result: (...result) => output.push(...result) },
  })
  return output
}

it.each([
  [false, 'none'],
  // What the service has set stays without it.
  [true, 'released'],
])(
  'says that nothing is blocked without the service of Windows only if that is so: %s',
  async (blocks, killSwitch) => {
    expect(await released(false, [], { here: 'no-service', blocks })).toContainEqual(
      expect.objectContaining({ killSwitch }),
    )
  },
)

it('says after lifting the kill switch that the administrator has turned it on', async () => {
  expect(await released(true, ['killSwitch'])).toEqual([
    { killSwitch: 'released', managed: true },
    expect.stringContaining('so it is on again from the next connection.'),
  ])
})

it.each([
  [true, []],
  [false, ['killSwitch']],
] as const)('names no administrator who has not turned it on (%j, %j)', async (killSwitch, managed) => {
  expect(await released(killSwitch, managed)).toEqual([
    { killSwitch: 'released' },
    "The kill switch no longer blocks traffic. Your traffic doesn't use the VPN.",
  ])
})
