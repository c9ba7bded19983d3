import { createHash } from 'node:crypto'

/** The pages after a request to the redirect URI. */
export type CallbackPage = 'approved' | 'denied' | 'failed' | 'already-used' | 'foreign' | 'other-user'

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
  foreign: {
    title: "This page doesn't belong to the login",
    text: 'Causeway is still waiting for you to log in on the page that it opened. You can close this tab.',
  },
  'other-user': {
    title: 'This login belongs to another user',
    text: "Causeway couldn't verify that this browser runs as the same user as Causeway. Log in with a browser that runs as the same user.",
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
p { max-width: 32rem; margin: 0 }
`

/** Headers of every page: they forbid loading, running, framing and caching, and send no referrer with the code. */
export const callbackHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  connection: 'close',
}

/** Returns the page as HTML, without any content from the request. */
export function callbackHtml(page: CallbackPage): string {
  const { title, text } = texts[page]
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title} – Causeway</title><style>${style}</style></head>
<body><main><h1>${title}</h1><p>${text}</p></main></body>
</html>
`
}
