import type { AnswerFault, Fault } from '../../control/faults'
import type { Scenario, ScenarioTools } from '../../control/scenario'
import type { VpnService } from '../vpn-service'

const infoPaths = ['/info.json', '//info.json', '/.well-known/vpn-user-portal', '/discovery/info.json']
/** The paths of the portal, without those of the other services. */
export const portalPaths = [...infoPaths, '/oauth/*', '/api/vpn/*', '/api/v3/*']

const signInPage: AnswerFault = {
  status: 200,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: '<!doctype html><title>Welcome to Free WiFi</title><p>Accept the terms to use the network.</p>',
}

const version3: AnswerFault = {
  status: 200,
  body: {
    api: { 'http://eduvpn.org/api#3': { api_endpoint: 'https://vpn.example.org/api/v3' } },
    v: '3.8.2',
  },
}

const loginPage: AnswerFault = {
  status: 200,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: '<!doctype html><title>VPN Portal</title><p>Please sign in with your user name and password.</p>',
}

/** Returns the scenarios in which the whole portal fails while the other services work. */
export function portalScenarios(service: VpnService, { faults }: ScenarioTools): Scenario[] {
  const faulty = (name: string, sentence: string, paths: string[], fault: Fault): Scenario => ({
    name,
    sentence,
    apply: () => {
      for (const path of paths) faults.add({ match: { path }, fault })
    },
  })
  return [
    faulty(
      'portal-down',
      'Every request to the portal is answered 500, as with a failed back end.',
      portalPaths,
      { status: 500, body: { error: 'unable to reach the back end' } },
    ),
    faulty('portal-in-maintenance', 'The portal answers 503 with Retry-After: 3600.', portalPaths, {
      status: 503,
      headers: { 'retry-after': '3600', 'content-type': 'text/html' },
      body: '<!doctype html><title>Maintenance</title><p>We will be back soon.</p>',
    }),
    faulty('portal-slow', 'Every answer of the portal comes three seconds late.', portalPaths, {
      delayMs: 3000,
    }),
    faulty('portal-unreachable', 'Every connection to the portal is reset.', portalPaths, { reset: true }),
    faulty(
      'html-instead-of-json',
      'A captive portal answers every request with status 200 and a page to sign in.',
      ['*'],
      signInPage,
    ),
    {
      name: 'oversized-answer',
      sentence: 'Every answer of the portal is 20 MB longer than it should be, and otherwise valid.',
      apply: () => {
        service.situation = { isOversized: true }
      },
    },
    faulty('discovery-missing', 'The discovery document is not there (404).', infoPaths, {
      status: 404,
      body: { error: 'Not Found' },
    }),
    faulty('discovery-redirect-loop', 'Discovery redirects to itself forever.', infoPaths, {
      status: 302,
      headers: { location: '/info.json' },
    }),
    faulty(
      'discovery-redirect-elsewhere',
      'Discovery redirects to a plain http address of another computer, which must not be trusted.',
      infoPaths,
      { status: 302, headers: { location: 'http://192.0.2.1/info.json' } },
    ),
    faulty(
      'discovery-only-version-3',
      'The discovery document names only version 3 of the API, as portals without version 2 do.',
      infoPaths,
      version3,
    ),
    {
      name: 'portal-of-version-3',
      sentence:
        'A portal of version 3: info.json is its sign-in page, and the well-known document names only version 3 of the API.',
      apply: () => {
        faults.add({ match: { path: '/.well-known/vpn-user-portal' }, fault: version3 })
        for (const path of ['/info.json', '//info.json']) faults.add({ match: { path }, fault: loginPage })
      },
    },
  ]
}
