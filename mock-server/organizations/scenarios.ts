import type { FaultRule } from '../control/faults'
import type { Scenario, ScenarioTools } from '../control/scenario'
import { thousandUsers, hostileTexts, hostileUsers } from '../seed/organizations-scenario-users'
import { callerId, type Member, type User } from './organization'
import type { OrganizationsService } from './organizations-service'
import type { Situation } from './situation'

/** Matches /api/org and /api/orgs. */
const everyPath = '/api/org*'

function viewers(users: User[]): Member[] {
  return users.map(({ id }) => ({ userId: id, role: 'Viewer' }))
}

/** Returns the scenarios that change the caller's role or the form of the data. */
function situationScenarios(service: OrganizationsService): Scenario[] {
  const now = () => service.environment.clock.now()
  const withSituation = (name: string, sentence: string, change: Partial<Situation>): Scenario => ({
    name,
    sentence,
    apply: () => {
      service.configure(change)
    },
  })
  return [
    {
      name: 'last-administrator',
      sentence:
        'The tester is the only administrator of the current organization, which refuses to remove them or lower their role.',
      apply: () => {
        service.replaceCurrent((organization) => ({
          ...organization,
          members: organization.members.map(({ userId, role }) =>
            userId === callerId
              ? { userId, role: 'Admin' }
              : { userId, role: role === 'Admin' ? 'Editor' : role },
          ),
        }))
      },
    },
    {
      name: 'thousand-users',
      sentence: 'The current organization has a thousand more users.',
      apply: () => {
        const users = thousandUsers(now())
        service.addToDirectory(users)
        service.replaceCurrent((organization) => ({
          ...organization,
          members: [...organization.members, ...viewers(users)],
        }))
      },
    },
    {
      name: 'organization-hostile-names',
      sentence:
        'Names, logins and e-mail addresses contain markup, control characters, reversed text and very long words.',
      apply: () => {
        const users = hostileUsers(now())
        service.addToDirectory(users)
        service.replaceCurrent((organization) => ({
          ...organization,
          name: hostileTexts[0],
          address: { ...organization.address, address1: hostileTexts[1], city: hostileTexts[10] },
          members: [...organization.members, ...viewers(users)],
        }))
      },
    },
    {
      name: 'organization-without-users',
      sentence: 'The current organization has no users at all.',
      apply: () => {
        service.replaceCurrent((organization) => ({ ...organization, members: [] }))
      },
    },
    {
      name: 'organization-gone',
      sentence: 'Somebody else has deleted the current organization: every call for it is answered 404.',
      apply: () => {
        service.replaceCurrent(() => null)
      },
    },
    withSituation(
      'organization-forbidden',
      'The caller is only a viewer: reading works, and every change is answered 403.',
      { callerRole: 'Viewer' },
    ),
    withSituation(
      'organization-unauthorized',
      "The caller's identity is no longer accepted: every call is answered 401, whatever credentials it has.",
      { isSignedOut: true },
    ),
    withSituation('organization-name-conflicts', 'Every new name of an organization is already taken: 409.', {
      isEveryNameTaken: true,
    }),
    withSituation(
      'organization-user-removed-elsewhere',
      'Users are still listed, but changing or removing them is answered 404.',
      { isEveryUserGone: true },
    ),
    withSituation('organization-string-ids', 'The number of a new organization is a string.', {
      statusMessages: 'string-ids',
    }),
    withSituation(
      'organization-empty-status',
      'Changes work and are answered with an empty object, because every field of a StatusMessage is optional.',
      { statusMessages: 'empty' },
    ),
    withSituation('organization-text-ids', 'Every id of an organization or a user is a string of digits.', {
      areIdsTexts: true,
    }),
    withSituation(
      'organization-strict-bodies',
      'A body must have exactly the fields of an Org (a name and all six lines of the address) or a UserRole: 400 otherwise.',
      { areBodiesStrict: true },
    ),
    withSituation(
      'organization-basic-for-orgs',
      'Below /api/orgs, only the user name and password of --org-auth basic are accepted; a token is answered 401 with a Basic challenge.',
      { isBasicForOrgs: true },
    ),
    withSituation(
      'organization-bad-records',
      "Two records in the list of users aren't users: one has no number and no login, the other is null.",
      { orgUsers: 'bad' },
    ),
    withSituation(
      'organization-bare-users',
      'Users are as from an older server: the picture and the last time are either missing or null.',
      { orgUsers: 'bare' },
    ),
  ]
}

/** Returns the scenarios in which valid calls fail. */
function failingScenarios({ faults }: ScenarioTools): Scenario[] {
  const failing = (name: string, sentence: string, rules: FaultRule[]): Scenario => ({
    name,
    sentence,
    apply: () => {
      for (const rule of rules) faults.add(rule)
    },
  })
  return [
    failing('organization-down', "Every call is answered 503 in the API's error format.", [
      {
        match: { path: everyPath },
        fault: { status: 503, headers: { 'retry-after': '30' }, body: { message: 'Service unavailable' } },
      },
    ]),
    failing('organization-rate-limited', 'Every call is answered 429 with Retry-After: 120.', [
      {
        match: { path: everyPath },
        fault: { status: 429, headers: { 'retry-after': '120' }, body: { message: 'Too many requests' } },
      },
    ]),
    failing('organization-server-error', 'Every call is answered 500 without Retry-After.', [
      { match: { path: everyPath }, fault: { status: 500, body: { message: 'Internal server error' } } },
    ]),
    failing(
      'organization-proxy-error',
      'A proxy in front of the service answers every call 502 with an HTML page.',
      [
        {
          match: { path: everyPath },
          fault: {
            status: 502,
            headers: { 'content-type': 'text/html' },
            body: '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>',
          },
        },
      ],
    ),
    failing('organization-slow', 'Every call takes ten seconds.', [
      { match: { path: everyPath }, fault: { delayMs: 10_000 } },
    ]),
  ]
}

/** Returns the scenarios of the organization API. */
export function organizationsScenarios(service: OrganizationsService, tools: ScenarioTools): Scenario[] {
  return [...situationScenarios(service), ...failingScenarios(tools)]
}
