import type { FaultRule } from '../control/faults'
import type { Scenario, ScenarioTools } from '../control/scenario'
import { crowd, hostileTexts, hostileUsers } from '../seed/organizations-strangers'
import { callerId, type Member, type User } from './organization'
import type { OrganizationsService } from './organizations-service'
import type { Situation } from './situation'

/** Of both address spaces, /api/org and /api/orgs. */
const everyPath = '/api/org*'

function viewers(users: User[]): Member[] {
  return users.map(({ id }) => ({ userId: id, role: 'Viewer' }))
}

/** The situations in which what is held, or who the caller is, looks different. */
function bendingScenarios(service: OrganizationsService): Scenario[] {
  const now = () => service.environment.clock.now()
  const bending = (name: string, sentence: string, change: Partial<Situation>): Scenario => ({
    name,
    sentence,
    apply: () => {
      service.bend(change)
    },
  })
  return [
    {
      name: 'last-administrator',
      sentence:
        'The tester is the only administrator of the current organization: it refuses to remove them or to lower their role.',
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
      sentence: 'The current organization has a thousand users more.',
      apply: () => {
        const users = crowd(now())
        service.introduce(users)
        service.replaceCurrent((organization) => ({
          ...organization,
          members: [...organization.members, ...viewers(users)],
        }))
      },
    },
    {
      name: 'organization-hostile-names',
      sentence:
        'Names, logins and e-mail addresses hold markup, control characters, reversed writing and endless words.',
      apply: () => {
        const users = hostileUsers(now())
        service.introduce(users)
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
      sentence: 'The current organization was deleted by somebody else: every call on it is answered 404.',
      apply: () => {
        service.replaceCurrent(() => null)
      },
    },
    bending(
      'organization-forbidden',
      'The caller is only a viewer: everything can be read, and every change is answered 403.',
      { callerRole: 'Viewer' },
    ),
    bending(
      'organization-unauthorized',
      'The identity of the caller counts no longer: every call is answered 401, whatever it carries.',
      { isSignedOut: true },
    ),
    bending(
      'organization-name-conflicts',
      'Whatever name an organization is to get, another one has it already: 409.',
      { isEveryNameTaken: true },
    ),
    bending(
      'organization-user-removed-elsewhere',
      'Users who are still listed are gone when the client changes or removes them: 404.',
      { isEveryUserGone: true },
    ),
    bending('organization-string-ids', 'A new organization has its number told as a string.', {
      statusMessages: 'string-ids',
    }),
    bending(
      'organization-empty-status',
      'Changes are made and answered with an empty object, since every field of a StatusMessage is optional.',
      { statusMessages: 'empty' },
    ),
    bending('organization-text-ids', 'Every id of an organization or a user is a text of digits.', {
      areIdsTexts: true,
    }),
    bending(
      'organization-strict-bodies',
      'A body must have all fields of an Org (a name, and all six lines of the address) or a UserRole, and no others: 400 otherwise.',
      { areBodiesStrict: true },
    ),
    bending(
      'organization-basic-for-orgs',
      'Below /api/orgs only the user name and password of --org-auth basic are taken: 401 with a Basic challenge for a token.',
      { isBasicForOrgs: true },
    ),
    bending(
      'organization-bad-records',
      'Two records in the list of users are none: one has no number and no login, the other is null.',
      { orgUsers: 'bad' },
    ),
    bending(
      'organization-bare-users',
      'Users come as from an older server: no picture and no last time, by turns left out and null.',
      { orgUsers: 'bare' },
    ),
  ]
}

/** The situations in which calls go wrong that would have been answered well. */
function failingScenarios({ faults }: ScenarioTools): Scenario[] {
  const failing = (name: string, sentence: string, rules: FaultRule[]): Scenario => ({
    name,
    sentence,
    apply: () => {
      for (const rule of rules) faults.add(rule)
    },
  })
  return [
    failing('organization-down', 'Every call is answered 503, in the shape of the interface.', [
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
    failing('organization-server-error', 'Every call is answered 500, without saying when to come back.', [
      { match: { path: everyPath }, fault: { status: 500, body: { message: 'Internal server error' } } },
    ]),
    failing(
      'organization-proxy-error',
      'Something in front of the service answers every call with 502 and a page of HTML.',
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

/** The situations of this part. */
export function organizationsScenarios(service: OrganizationsService, tools: ScenarioTools): Scenario[] {
  return [...bendingScenarios(service), ...failingScenarios(tools)]
}
