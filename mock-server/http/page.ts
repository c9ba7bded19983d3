import { createHash } from 'node:crypto'

export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Value = string | number | Html | readonly Html[]

function textOf(value: Value): string {
  if (value instanceof Html) return value.text
  return typeof value === 'object' ? value.map(({ text }) => text).join('') : escapeHtml(String(value))
}

/** Template tag for HTML. Escapes all values except HTML. */
export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  return new Html(String.raw({ raw: parts }, ...values.map(textOf)))
}

const style = `
:root { color-scheme: light dark; }
body { font: 1.05rem/1.5 system-ui, sans-serif; max-width: 38rem; margin: 10vh auto; padding: 0 1.5rem; }
h1 { font-size: 1.5rem; }
h2 { font-size: 1.2rem; margin-top: 2rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.25rem 1rem; }
dt { font-weight: 600; }
dd { margin: 0; overflow-wrap: anywhere; }
table { border-collapse: collapse; }
td { padding: 0.25rem 1rem 0.25rem 0; vertical-align: top; }
code { font-size: 0.95em; }
label { display: block; font-weight: 600; }
input { font: inherit; box-sizing: border-box; width: 100%; padding: 0.5rem; }
button { font: inherit; padding: 0.6rem 1.6rem; margin: 1rem 0.75rem 0 0; border-radius: 0.5rem; cursor: pointer;
  border: 2px solid #1c5fb8; background: transparent; color: inherit; }
button.primary { background: #1c5fb8; color: #fff; }
button:focus-visible { outline: 3px solid #e08a00; outline-offset: 3px; }
`

const styleHash = createHash('sha256').update(style).digest('base64')

export function escapeHtml(text: string): string {
  const names: Record<string, string> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": '#39' }
  return text.replace(/[&<>"']/g, (character) => `&${names[character] ?? ''};`)
}

/** Returns an HTML page and its policy. `formAction` lists the targets of forms, redirects included. */
export function page(
  title: string,
  main: string,
  formAction = "'none'",
): { html: string; contentSecurityPolicy: string } {
  return {
    html: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${main}
</main>
</body>
</html>
`,
    contentSecurityPolicy:
      `default-src 'none'; style-src 'sha256-${styleHash}'; form-action ${formAction}; ` +
      `base-uri 'none'; frame-ancestors 'none'`,
  }
}
