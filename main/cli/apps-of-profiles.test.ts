import { expect, it } from 'vitest'
import { startCommandAndMock } from './causeway.testing'

const { command, mock } = await startCommandAndMock({ autoApprove: true })
const office = { instance: new URL(mock.instance).host, profileId: 'office' }

async function someone() {
  const person = await command.person(mock.instance)
  return {
    person,
    json: async (...words: string[]): Promise<unknown> =>
      JSON.parse((await person.run(['apps', ...words, '--json'])).stdout),
  }
}

it('divides the apps of a profile in another way than those of others', async () => {
  const { person, json } = await someone()
  expect(await json('mode', 'only', '--profile', 'office network')).toEqual({ mode: 'only', ...office })
  expect(await json('list')).toMatchObject({ mode: 'all', profiles: [{ mode: 'only', ...office }] })
  expect((await person.run(['apps', 'list'])).stdout).toContain(
    'office: Only the apps in the list use the VPN.',
  )
  expect(await json('mode', 'default', '--profile', 'office')).toEqual({ mode: 'default', ...office })
  expect(await json('list')).toMatchObject({ profiles: [] })
  expect(await person.failure(['apps', 'mode', 'only', '--profile', 'garage'])).toMatchObject({
    code: 'vpn-api/profile-unavailable',
    details: { profiles: expect.arrayContaining(['office']) as string[] },
  })
  expect(await person.failure(['apps', 'mode', 'default'])).toMatchObject({ code: 'usage/profile-needed' })
})

it('takes back what was chosen for a profile that is gone, or while the service is', async () => {
  const { person, json } = await someone()
  await json('mode', 'only', '--profile', 'office')
  await mock.call('PUT /profiles', { body: [{ profile_id: 'lab', display_name: 'Lab' }] })
  expect(await person.failure(['apps', 'mode', 'only', '--profile', 'office'])).toMatchObject({
    code: 'vpn-api/profile-unavailable',
  })
  expect(await json('mode', 'default', '--profile', 'office')).toEqual({ mode: 'default', ...office })
  expect(await json('list')).toMatchObject({ profiles: [] })
})

it('says when the choice of DNS servers has no effect', async () => {
  const { person, json } = await someone()
  const { networkNames } = (await json('list')) as { networkNames: boolean }
  const text = async (): Promise<string> => (await person.run(['apps', 'list'])).stdout
  expect(await text()).not.toContain('no effect here')
  await person.run(['settings', 'set', 'appsNames', 'network'])
  expect(await json('list')).toMatchObject({ names: 'network', networkNames })
  expect((await text()).includes('no effect here')).toBe(!networkNames)
})
