import { createHash } from 'node:crypto'

/** The pages after a request to the redirect URI. */
export type CallbackPage =
  | 'approved'
  | 'denied'
  | 'failed'
  | 'cancelled'
  | 'already-used'
  | 'foreign'
  | 'other-user'

const texts: Readonly<Record<CallbackPage, { readonly title: string; readonly text: string }>> = {
  approved: {
    title: 'Approved',
    text: 'Causeway is completing the login. You can close this tab and go back to Causeway.',
  },
  denied: {
    title: 'Access was denied',
    text: "Causeway wasn't given access. You can close this tab and go back to Causeway.",
  },
  failed: {
    title: 'The login failed',
    text: 'Causeway shows what went wrong. You can close this tab and go back to Causeway.',
  },
  cancelled: {
    title: 'The login was cancelled',
    text: 'Nothing has changed. You can close this tab and go back to Causeway.',
  },
  foreign: {
    title: "This page doesn't belong to the login",
    text: 'Causeway is still waiting for you to log in on the page that it opened. You can close this tab.',
  },
  'other-user': {
    title: 'This login belongs to another user',
    text: "Causeway couldn't verify that this browser runs as the same user as Causeway. Sign in with a browser that runs as the same user.",
  },
  'already-used': {
    title: 'This page was already used',
    text: 'The login continues, or has finished, in Causeway. You can close this tab and go back to Causeway.',
  },
}

const style = `
:root { color-scheme: light dark; font: 1.125rem/1.5 system-ui, sans-serif }
body { display: grid; place-content: center; min-height: 90vh; margin: 0 1.5rem; text-align: center }
h1 { font-size: 1.5rem; font-weight: 600 }
p { max-width: 32rem; margin: 0 auto 1rem; overflow-wrap: anywhere }
form { display: inline-block; margin: 0.5rem }
button { font: inherit; padding: 0.5rem 1.5rem; animation: arm 1s step-end }
/* A page that makes the user double-click may bring this page under the second click. */
@keyframes arm { from { pointer-events: none; opacity: 0.5 } }
`

const styleHash = createHash('sha256').update(style).digest('base64')

/** Headers of every page: they forbid loading, running, framing and caching, and send no referrer with the code. */
export const callbackHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policyWith("'none'"),
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  connection: 'close',
}

/** Headers of the page that asks. Without a referrer, browsers send no origin with its form, which is checked. */
export const questionHeaders: Readonly<Record<string, string>> = {
  ...callbackHeaders,
  'content-security-policy': policyWith("'self'"),
  'referrer-policy': 'same-origin',
}

function policyWith(formAction: string): string {
  return `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action ${formAction}; frame-ancestors 'none'`
}

/** Returns the page as HTML, without any content from the request. */
export function callbackHtml(page: CallbackPage): string {
  const { title, text } = texts[page]
  return html(title, `<p>${text}</p>`)
}

/** The paths that answer the question of a page, by POST. */
export interface Answers {
  readonly confirm: string
  readonly cancel: string
}

/** Returns the page that asks whether the user signed in to this service, by its id. */
export function questionHtml(service: string, { confirm, cancel }: Answers): string {
  const name = `<strong>${escaped(service)}</strong>`
  return html(
    `Continue to ${escaped(service)}?`,
    `<p>Causeway opened the sign-in page of ${name}. Continue only if that is where you signed in.</p>
<p>If you approved access for another service, cancel. Otherwise, ${name} may get access to your account there.</p>
<form method="post" action="${cancel}"><button>Cancel</button></form>
<form method="post" action="${confirm}"><button>Continue</button></form>`,
  )
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

function html(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title} – Causeway</title><style>${style}</style></head>
<body><main><h1>${title}</h1>${content}</main></body>
</html>
`
}
