/** The element with this id; the page always has it. */
export function byId<T extends HTMLElement>(id: string, kind: new () => T): T {
  const found = document.getElementById(id)
  if (!(found instanceof kind)) throw new Error(`The page has no ${kind.name} #${id}.`)
  return found
}

interface Attributes {
  class?: string
  id?: string
  'aria-label'?: string
  'aria-pressed'?: boolean
  onclick?: () => void
}

/** An element with its children. What comes from clients goes in as text, never as markup. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name)
  const { onclick, ...texts } = attributes
  for (const [attribute, value] of Object.entries(texts)) made.setAttribute(attribute, String(value))
  if (onclick !== undefined) made.addEventListener('click', onclick)
  if (made instanceof HTMLButtonElement) made.type = 'button'
  made.append(...children)
  return made
}
