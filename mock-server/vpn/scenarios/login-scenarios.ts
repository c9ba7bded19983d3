import type { Scenario, ScenarioTools } from '../../control/scenario'
import type { AuthorizeOutcome } from '../authorize-behaviour'
import type { VpnService } from '../vpn-service'

const shortSeconds = 5

/** Returns the scenarios in which logins, sessions and tokens fail. */
export function loginScenarios(service: VpnService, { faults }: ScenarioTools): Scenario[] {
  const login = (name: string, sentence: string, next: AuthorizeOutcome): Scenario => ({
    name,
    sentence,
    apply: () => {
      service.authorize.decide({ next })
    },
  })
  return [
    login('login-denied', 'Every login is denied: the redirect says access_denied.', 'deny'),
    login(
      'login-error-page',
      'Every login ends on an error page without a redirect: the client must let the user cancel.',
      'error-page',
    ),
    login('login-server-error', 'Every login ends on a page with status 500.', 'server-error'),
    login('login-never-answers', 'Every login stops at a page that never redirects.', 'no-answer'),
    login('login-wrong-state', 'Logins are approved, but the redirect has a different state.', 'wrong-state'),
    login('login-without-state', 'Logins are approved, but the redirect has no state.', 'no-state'),
    login(
      'login-wrong-issuer',
      'Logins are approved, but the redirect names a different issuer (RFC 9207).',
      'wrong-iss',
    ),
    login(
      'login-scope-refused',
      'Every login is redirected at once with the error invalid_scope.',
      'invalid-scope-redirect',
    ),
    {
      name: 'client-unknown',
      sentence: 'No client is registered: authorizing and refreshing are answered 401 invalid_client.',
      apply: () => {
        service.situation = { knowsNoClient: true }
      },
    },
    {
      name: 'sign-in-first',
      sentence:
        'The authorization endpoint shows its sign-in page and checks nothing, as portals do until somebody signs in: only the token endpoint refuses an unknown client.',
      apply: () => {
        service.situation = { signsInFirst: true }
      },
    },
    {
      name: 'login-revoked',
      sentence:
        'The user has revoked all logins so far on the account page: tokens are refused, and OpenVPN disconnects the clients and refuses them (AUTH_FAILED). Signing in again works.',
      apply: () => {
        service.endLogins()
      },
    },
    {
      name: 'account-disabled',
      sentence:
        'The administrator has disabled the account: tokens are refused, OpenVPN disconnects the clients and refuses them (AUTH_FAILED), and the browser gets 403.',
      apply: () => {
        service.endLogins()
        faults.add({
          match: { path: '/oauth/authorize' },
          fault: {
            status: 403,
            headers: { 'content-type': 'text/html; charset=utf-8' },
            body: '<!doctype html><title>403</title><p>Your account has been disabled.</p>',
          },
        })
      },
    },
    {
      name: 'guest-account-disabled',
      sentence:
        'Version 3: the account is disabled, which every call says with 403, as at the location of a guest; OpenVPN disconnects the clients and refuses them (AUTH_FAILED).',
      apply: () => {
        service.distrust('certificate_missing', 'those so far')
        service.disconnectClients()
        faults.add({
          match: { path: '/api/v3/*' },
          fault: { status: 403, body: { error: 'your account has been disabled' } },
        })
      },
    },
    {
      name: 'token-endpoint-down',
      sentence: "The token endpoint answers 500, which isn't a refusal: clients must keep their tokens.",
      apply: () => {
        faults.add({
          match: { path: '/oauth/token' },
          fault: { status: 500, body: { error: 'server_error', error_description: 'a simulated failure' } },
        })
      },
    },
    {
      name: 'access-token-expired',
      sentence: 'The access tokens issued so far are answered 401; refreshing and signing in work.',
      apply: () => {
        service.tokens.refuseAccessTokens()
      },
    },
    {
      name: 'access-tokens-short-lived',
      sentence: `Access tokens now expire after ${shortSeconds} seconds, as expires_in says: clients have to refresh constantly.`,
      apply: () => {
        service.tokens.accessTokenSeconds = shortSeconds
      },
    },
    {
      name: 'access-without-scope',
      sentence: 'Every call of the API is answered 403 insufficient_scope.',
      apply: () => {
        for (const path of ['/api/vpn/*', '/api/v3/*']) {
          faults.add({
            match: { path },
            fault: {
              status: 403,
              headers: { 'www-authenticate': 'Bearer realm="OAuth",error="insufficient_scope"' },
              body: { error: 'insufficient_scope', error_description: 'the scope "config" is missing' },
            },
          })
        }
      },
    },
    {
      name: 'session-over',
      sentence: 'All sessions so far have ended, with their tokens and certificates: signing in again works.',
      apply: () => {
        service.tokens.endSessions(0, { later: false })
        service.distrust('certificate_expired', 'those so far')
      },
    },
    {
      name: 'session-soon-over',
      sentence:
        'The logins so far end in ten minutes by the clock of the mock, and later ones ten minutes after the login.',
      apply: () => {
        service.tokens.endSessions(600, { later: true })
      },
    },
  ]
}
