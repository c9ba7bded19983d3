import { escapeHtml, page } from '../http/page'
import type { AuthorizationRequest } from './authorization-request'

/** The page on which the user approves or denies; posts `decision` back to its own address. */
export function authorizationPage(request: AuthorizationRequest, userId: string): ReturnType<typeof page> {
  return page(
    'Approve Application',
    `<p>An application asks for permission to use this VPN on your behalf.</p>
<dl>
<dt>Application</dt><dd>${escapeHtml(request.clientId)}</dd>
<dt>Signed in as</dt><dd>${escapeHtml(userId)}</dd>
<dt>It will be able to</dt><dd>see your profiles and set up VPN connections</dd>
</dl>
<p>Approve only if you started this yourself, just now.</p>
<form method="post">
<button class="primary" name="decision" value="approve">Approve</button>
<button name="decision" value="deny">Deny</button>
</form>`,
    "'self' http:",
  )
}

/** The page that shows why an authorization request was refused. */
export function authorizationErrorPage({
  error,
  description,
}: {
  error: string
  description: string
}): ReturnType<typeof page> {
  return page(
    'This request cannot be approved',
    `<p>ERROR: ${escapeHtml(error)} (${escapeHtml(description)})</p>
<p>Close this page, go back to the application and log in again.</p>`,
  )
}

/** A page on which nothing happens, as where a sign-in never comes to its end. */
export function waitingPage(): ReturnType<typeof page> {
  return page('Signing in', '<p>Please wait.</p>')
}
