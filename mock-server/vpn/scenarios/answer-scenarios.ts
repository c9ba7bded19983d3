import type { Scenario, ScenarioTools } from '../../control/scenario'
import { hostileMessages, manyMessages, manyProfiles } from '../../seed/vpn-situations'
import { hostileConfig, tricks } from '../hostile-configs'
import { isInVersion2 } from '../profile'
import type { Situation } from '../situation'
import type { VpnService } from '../vpn-service'

/** Address where nothing listens: TCP connections are refused, UDP is refused or silent. */
const deadEnd = { host: '127.0.0.1', port: 9 }

/** Returns the scenarios with unusual profiles, configurations and messages. */
export function answerScenarios(service: VpnService, { clock }: ScenarioTools): Scenario[] {
  const shown = (name: string, sentence: string, situation: () => Situation): Scenario => ({
    name,
    sentence,
    apply: () => {
      service.situation = situation()
    },
  })
  const profiles = () => service.profiles
  return [
    shown('no-profiles', 'The list of profiles is empty.', () => ({ profiles: [] })),
    shown('one-profile', 'There is only the first profile: nothing to choose from.', () => ({
      profiles: profiles().slice(0, 1),
    })),
    shown('many-profiles', 'There are 60 profiles, with long names and names in many scripts.', () => ({
      profiles: manyProfiles(),
    })),
    shown(
      'hidden-profile',
      "The last profile of version 2 of the API is hidden: it isn't listed, and its configuration is refused.",
      () => {
        const hidden = profiles().filter(isInVersion2).at(-1)
        return {
          profiles: profiles().map((profile) =>
            profile === hidden ? { ...profile, hidden: true } : profile,
          ),
        }
      },
    ),
    shown(
      'profile-config-hostile',
      `There is one profile for each of ${tricks.length} ways to make a client run, load, read or write something, named after it; the configuration of every other profile contains all of them.`,
      () => ({
        profiles: [
          ...profiles(),
          ...tricks.map(({ name }) => ({
            profile_id: name,
            display_name: `Hostile: ${name}`,
            default_gateway: false,
          })),
        ],
        changeConfig: ({ contentType, body }, profileId) => ({
          contentType,
          body: hostileConfig(body, profileId),
        }),
      }),
    ),
    shown(
      'profile-config-nonsense',
      'The configuration of every profile is an HTML page with status 200.',
      () => ({
        changeConfig: () => ({
          contentType: 'text/html; charset=utf-8',
          body: '<!doctype html><title>Sign in</title><p>Please sign in to go on.</p>',
        }),
      }),
    ),
    shown('profile-config-empty', 'The configuration of every profile is empty.', () => ({
      changeConfig: ({ contentType }) => ({ contentType, body: '' }),
    })),
    shown('no-remotes', 'Configurations contain no remote.', () => ({ changeRemotes: () => [] })),
    shown('dead-remotes', 'Configurations contain only remotes on which nothing listens.', () => ({
      changeRemotes: (remotes) => remotes.map(({ protocol }) => ({ ...deadEnd, protocol })),
    })),
    shown('dead-remotes-first', 'The first remote of every configuration is dead; the others work.', () => ({
      changeRemotes: (remotes) => [{ ...deadEnd, protocol: 'tcp' as const }, ...remotes],
    })),
    shown('only-tcp-remotes', 'Configurations contain only TCP remotes.', () => ({
      changeRemotes: (remotes) => remotes.filter(({ protocol }) => protocol === 'tcp'),
    })),
    shown(
      'only-udp-remotes',
      'Configurations contain only UDP remotes: a client that must use TCP has none left.',
      () => ({ changeRemotes: (remotes) => remotes.filter(({ protocol }) => protocol === 'udp') }),
    ),
    shown('no-messages', 'There are no system messages.', () => ({ systemMessages: [] })),
    shown('many-messages', 'There are 200 system messages.', () => ({
      systemMessages: manyMessages(clock.now()),
    })),
    shown(
      'hostile-messages',
      'System messages contain markup, control characters, very long words, half characters or no text at all.',
      () => ({ systemMessages: hostileMessages(clock.now()) }),
    ),
    shown(
      'maintenance-message',
      'The first message has the type maintenance, with begin and end and no text, as in very old portals.',
      () => {
        const inHours = (hours: number) => new Date(clock.now().getTime() + hours * 3_600_000).toISOString()
        const maintenance = {
          type: 'maintenance' as const,
          date_time: inHours(0),
          begin: inHours(24),
          end: inHours(26),
        }
        return { systemMessages: [maintenance, ...service.shownMessages()] }
      },
    ),
  ]
}
