import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { InstanceSlice, ProfileItem } from '../../../contract/state'
import { emptyState } from '../../empty-state.testing'
import { openWindow, signedIn } from '../../fake-bridge.testing'

function service(id: string, ...items: ProfileItem[]): InstanceSlice {
  return { ...signedIn, id, profiles: { status: 'loaded', items } }
}

describe('the apps of a profile', () => {
  const both: ProfileItem = { profileId: 'both', displayName: 'Both', defaultGateway: true }
  const instances = [service('vpn.example.edu', both)]
  const options = () => screen.queryByRole('button', { name: 'Options for Both' })
  const settings = { ...emptyState.settings, apps: 'firefox' }

  it('can be divided in another way than those of others, once there is a list', async () => {
    const { user, ran, change } = await openWindow({ instances })
    expect(options()).toBeNull()
    change({ settings })
    await user.click(options() ?? document.body)
    const choices = await screen.findAllByRole('menuitemradio')
    expect(choices.map((each) => [each.textContent, each.getAttribute('aria-checked')])).toEqual([
      ['Apps as in Settings', 'true'],
      ['All apps', 'false'],
      ['All apps but the chosen ones', 'false'],
      ['Only the chosen apps', 'false'],
    ])
    await user.click(screen.getByRole('menuitemradio', { name: 'Only the chosen apps' }))
    const target = { instanceId: 'vpn.example.edu', profileId: 'both' }
    expect(ran).toEqual([{ name: 'chooseAppsMode', input: { ...target, mode: 'only' } }])
    const choice = { ...target, protocol: 'auto', tcpOnly: false, appsMode: 'only' } as const
    change({ shortcuts: { recent: [], starred: [], choices: [choice] } })
    expect(screen.getAllByRole('listitem')[0]?.textContent).toContain('all trafficOnly the chosen apps')
  })

  it('are not offered for a profile that this computer cannot run', async () => {
    const other: ProfileItem = { ...both, notSupported: true }
    await openWindow({ instances: [service('vpn.example.edu', other)], settings })
    expect(screen.getByText('Both')).toBeTruthy()
    expect(options()).toBeNull()
  })

  it('are those of the administrator', async () => {
    await openWindow({ instances, settings, managedSettings: ['appsMode'] })
    expect(options()).toBeNull()
  })
})

describe('the protocol of a profile', () => {
  const both: ProfileItem = { profileId: 'both', displayName: 'Both', hasChoice: true }
  const options = (name: string) => screen.queryByRole('button', { name: `Options for ${name}` })

  it('can be chosen where this computer can run several, and is shown as it was chosen', async () => {
    const { user, ran, change } = await openWindow({
      instances: [service('vpn.example.edu', both, { profileId: 'lab', displayName: 'Lab' })],
    })
    expect(options('Lab')).toBeNull()
    await user.click(options('Both') ?? document.body)
    const choices = await screen.findAllByRole('menuitemradio')
    expect(choices.map(({ textContent }) => textContent)).toEqual(
      ['Automatic', 'WireGuard', 'OpenVPN'].flatMap((name) => [name, `${name} · TCP only`]),
    )
    expect(choices[0]?.getAttribute('aria-checked')).toBe('true')
    await user.click(screen.getByRole('menuitemradio', { name: 'WireGuard · TCP only' }))
    const choice = {
      instanceId: 'vpn.example.edu',
      profileId: 'both',
      protocol: 'wireguard',
      tcpOnly: true,
    } as const
    expect(ran).toEqual([{ name: 'chooseProtocol', input: choice }])
    change({ shortcuts: { recent: [], starred: [], choices: [choice] } })
    expect(screen.getAllByRole('listitem')[0]?.textContent).toContain('WireGuard · TCP only')
  })
})
