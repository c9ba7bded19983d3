import type { Scenario, ScenarioTools } from '../control/scenario'
import type { DiscoveryService, DiscoverySituation, Lists } from './discovery-service'

const hour = 3600
const tenYears = 10 * 365 * 24 * hour

/** Returns the lists with an additional invented institute. */
function withNewInstitute({ servers, organizations }: Lists): Lists {
  const institute = {
    server_type: 'institute_access' as const,
    base_url: 'https://vpn.newcomer.example/',
    display_name: { en: 'Newcomer Institute' },
  }
  return { servers: [...servers, institute], organizations }
}

/** Returns the scenarios of the discovery server. */
export function discoveryScenarios(service: DiscoveryService, { faults }: ScenarioTools): Scenario[] {
  const lists = (name: string, sentence: string, situation: DiscoverySituation): Scenario => ({
    name: `lists-${name}`,
    sentence,
    apply: () => {
      service.situation = situation
    },
  })
  const listsWithComment = (
    name: string,
    sentence: string,
    comment: DiscoverySituation['comment'],
  ): Scenario => lists(name, sentence, comment === undefined ? {} : { comment })
  return [
    lists('of-another-key', 'The discovery lists are signed with another key.', { otherKey: 'own id' }),
    lists(
      'of-a-forged-key',
      'The discovery lists are signed with another key that has the id of the real one.',
      {
        otherKey: 'forged id',
      },
    ),
    listsWithComment(
      'of-another-file',
      'The signature of each discovery list names the file of the other one.',
      ({ timestamp, file }) =>
        `timestamp:${timestamp}\tfile:${file === 'server_list.json' ? 'organization_list.json' : 'server_list.json'}\thashed`,
    ),
    listsWithComment(
      'without-file-name',
      'The trusted comments of the discovery lists name no file.',
      ({ timestamp }) => `timestamp:${timestamp}\thashed`,
    ),
    listsWithComment(
      'without-timestamp',
      'The trusted comments of the discovery lists have no timestamp.',
      ({ file }) => `file:${file}\thashed`,
    ),
    listsWithComment(
      'with-empty-timestamp',
      'The trusted comments of the discovery lists have an empty timestamp.',
      ({ file }) => `timestamp:\tfile:${file}\thashed`,
    ),
    listsWithComment(
      'with-late-timestamp',
      'The trusted comments of the discovery lists are from ten years later.',
      ({ timestamp, file }) => `timestamp:${timestamp + tenYears}\tfile:${file}\thashed`,
    ),
    listsWithComment(
      'with-early-timestamp',
      'The trusted comments of the discovery lists are from 2001.',
      ({ file }) => `timestamp:1000000000\tfile:${file}\thashed`,
    ),
    listsWithComment(
      'with-large-timestamp',
      'The timestamp of the discovery lists has 40 digits.',
      ({ file }) => `timestamp:${'9'.repeat(40)}\tfile:${file}\thashed`,
    ),
    listsWithComment(
      'with-random-comment',
      'The trusted comments of the discovery lists are signed, and random text.',
      () => 'lorem ipsum dolor sit amet',
    ),
    lists('with-changed-comment', 'The trusted comments of the discovery lists were changed after signing.', {
      changeSignature: (text) =>
        text.replace(/timestamp:(\d+)/, (_all, time) => `timestamp:${Number(time) + hour}`),
    }),
    lists('changed', 'The discovery lists were changed after signing.', {
      changeFile: (text) =>
        text
          .replace('vpn.aalberg.example', 'vpn.attacker.example')
          .replace('idp.aalberg.example', 'idp.attacker.example'),
    }),
    lists('with-legacy-signature', 'The discovery lists are signed in the legacy form, Ed instead of ED.', {
      algorithm: 'Ed',
    }),
    lists('without-signature', 'The discovery lists have no signatures (404).', {
      changeSignature: () => undefined,
    }),
    lists('with-broken-signature', 'The signatures of the discovery lists are HTML pages.', {
      changeSignature: () => '<!doctype html><title>Sign in</title><p>Please sign in to go on.</p>',
    }),
    lists('older', 'The discovery lists are an older version with a valid signature: v is lower.', {
      versionChange: -hour,
      changeLists: withNewInstitute,
    }),
    lists(
      'of-same-version',
      'The discovery lists have other contents, with the same v and a valid signature.',
      {
        changeLists: withNewInstitute,
      },
    ),
    lists('newer', 'The discovery lists are a newer version with one more institute.', {
      versionChange: hour,
      changeLists: withNewInstitute,
    }),
    lists('truncated', 'The discovery lists lack their second half; their signatures are for all of them.', {
      changeFile: (text) => text.slice(0, text.length / 2),
    }),
    lists('without-home', 'A newer version of the lists has no organization Mock University.', {
      versionChange: hour,
      changeLists: ({ servers, organizations }) => ({ servers, organizations: organizations.slice(1) }),
    }),
    lists('without-location', 'A newer version of the lists has no location DE.', {
      versionChange: hour,
      changeLists: ({ servers, organizations }) => ({
        servers: servers.filter(({ country_code }) => country_code !== 'DE'),
        organizations: organizations.filter(
          ({ secure_internet_home }) => !secure_internet_home.endsWith('/de/'),
        ),
      }),
    }),
    lists('with-broken-template', 'The template of the home server lacks @ORG_ID@: clients must ignore it.', {
      versionChange: hour,
      changeLists: ({ servers, organizations }) => ({
        organizations,
        servers: servers.map((server) =>
          server.authentication_url_template === undefined
            ? server
            : {
                ...server,
                authentication_url_template: server.authentication_url_template.replace(
                  '@ORG_ID@',
                  'nothing',
                ),
              },
        ),
      }),
    }),
    lists('empty', 'A newer version of the lists has no servers and no organizations.', {
      versionChange: hour,
      changeLists: () => ({ servers: [], organizations: [] }),
    }),
    {
      name: 'lists-down',
      sentence: 'The discovery server answers 500.',
      apply: () => {
        faults.add({
          match: { path: '/discovery/*' },
          fault: { status: 500, body: 'Internal Server Error\n' },
        })
      },
    },
  ]
}
