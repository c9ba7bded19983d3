const words = /[A-Za-z0-9]+/g

function capitalized(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`
}

function nameOf(method: string, url: string): string {
  const parts = url.split('/').map((segment) => {
    const name = (segment.match(words) ?? []).map(capitalized).join('')
    return segment.startsWith(':') ? `By${name}` : name
  })
  return `${method.toLowerCase()}${parts.join('')}`
}

/** Names for operations, made of method and path (`getV200AttachmentsById`), unlike each other. */
export class OperationIds {
  readonly #given = new Map<string, string>()

  of(method: string, url: string): string {
    const route = `${method} ${url}`
    const before = this.#given.get(route)
    if (before !== undefined) return before
    const name = nameOf(method, url)
    const taken = new Set(this.#given.values())
    let id = name
    for (let turn = 2; taken.has(id); turn += 1) id = `${name}${turn}`
    this.#given.set(route, id)
    return id
  }
}
