import { createHash } from 'node:crypto'
import type { Parameters } from '../http/parameters'
import { escapeHtml, page } from '../http/page'
import type { OAuthFailure } from './oauth-error'
import type { AuthorizationRequest } from './token-store'

/** The page where the user approves or denies. It posts `decision` and `user` to its own address. */
export function authorizationPage(request: AuthorizationRequest, users: readonly string[]) {
  const [userId = ''] = users
  return page(
    'Approve Application',
    `<p>An application asks for permission to use this VPN on your behalf.</p>
<dl>
<dt>Application</dt><dd>${escapeHtml(request.clientId)}</dd>
<dt>It will be able to</dt><dd>see your profiles and set up VPN connections</dd>
</dl>
<p>Approve only if you started this yourself, just now.</p>
<form method="post">
<p><label for="user">Sign in as</label>
<input id="user" name="user" list="users" value="${escapeHtml(userId)}" maxlength="200" autocomplete="off" required></p>
<datalist id="users">${users.map((user) => `<option value="${escapeHtml(user)}"></option>`).join('')}</datalist>
<button class="primary" name="decision" value="approve">Approve</button>
<button name="decision" value="deny">Deny</button>
</form>`,
    // Browsers apply form-action to redirects after a form submission, too.
    `'self' http: ${new URL(request.redirectUri).protocol}`,
  )
}

const submitForm = 'document.forms[0].submit()'
const submitHash = createHash('sha256').update(submitForm).digest('base64')

/** A page that posts these parameters to the redirect URI at once (OAuth 2.0 Form Post Response Mode). */
export function formPostPage({ redirectUri }: AuthorizationRequest, parameters: URLSearchParams) {
  const fields = [...parameters].map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  )
  const answer = page(
    'Back to the application',
    `<form method="post" action="${escapeHtml(redirectUri)}">
${fields.join('\n')}
<button class="primary">Continue</button>
</form>
<script>${submitForm}</script>`,
    new URL(redirectUri).protocol,
  )
  return {
    ...answer,
    contentSecurityPolicy: `${answer.contentSecurityPolicy}; script-src 'sha256-${submitHash}'`,
  }
}

export function authorizationErrorPage({ error, description }: OAuthFailure) {
  return page(
    'This request cannot be approved',
    `<p>ERROR: ${escapeHtml(error)} (${escapeHtml(description)})</p>
<p>Close this page, go back to the application and sign in again.</p>`,
  )
}

export function callbackPage(parameters: Parameters) {
  const rows = Object.entries(parameters).map(
    ([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml([value].flat().join(', '))}</dd>`,
  )
  return page('Back at the application', `<dl>${rows.join('')}</dl>`)
}

export const waitingPage = page('Signing in', '<p>Please wait.</p>')

/** The page of portals to somebody who isn't signed in, also instead of info.json where there is only version 3. */
export const signInPage = page('VPN Portal', '<p>Please sign in with your user name and password.</p>')
