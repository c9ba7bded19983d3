/**
 * Makes the styles cheap that the libraries of tests ask for at each query: no style sheet is loaded in tests, so they
 * follow from an element's name and a few of its attributes, and from style attributes. jsdom would match each rule of
 * its own style sheet, and of those that Mantine adds, with each element. Whatever else is asked for, jsdom answers.
 */
export function makeStylesCheap(): void {
  const ask = window.getComputedStyle.bind(window)
  /** What jsdom says of the first element of each kind. */
  const displays = new Map<string, string>()

  function display(element: Element): string {
    const own = styleOf(element)?.display
    if (own !== undefined && own !== '') return own
    const kind = [
      element.namespaceURI,
      element.localName,
      ...decisive.map((name) => element.getAttribute(name)),
    ].join()
    const known = displays.get(kind)
    if (known !== undefined) return known
    const value = ask(element).display
    displays.set(kind, value)
    return value
  }

  const cheap = {
    display,
    visibility: (element: Element) => inherited(element, 'visibility') ?? 'visible',
    'pointer-events': (element: Element) => inherited(element, 'pointerEvents') ?? 'auto',
  }

  window.getComputedStyle = (element, pseudoElement) => {
    let whole: CSSStyleDeclaration | undefined
    const rest = (): CSSStyleDeclaration => (whole ??= ask(element, pseudoElement))
    return new Proxy({} as CSSStyleDeclaration, {
      get(_target, name) {
        if (name === 'display' || name === 'visibility') return cheap[name](element)
        if (name === 'pointerEvents') return cheap['pointer-events'](element)
        if (name === 'getPropertyValue')
          return (property: string) =>
            property in cheap
              ? cheap[property as keyof typeof cheap](element)
              : rest().getPropertyValue(property)
        const value: unknown = Reflect.get(rest(), name)
        return typeof value === 'function' ? (value.bind(rest()) as unknown) : value
      },
    })
  }
}

/** The attributes by which jsdom's own style sheet decides whether an element is shown, and how. */
const decisive = ['hidden', 'open', 'type']

function styleOf(element: Element): CSSStyleDeclaration | undefined {
  return element.hasAttribute('style') ? (element as HTMLElement).style : undefined
}

function inherited(element: Element, name: 'visibility' | 'pointerEvents'): string | undefined {
  for (let at: Element | null = element; at !== null; at = at.parentElement) {
    const value = styleOf(at)?.[name]
    if (value !== undefined && value !== '' && value !== 'inherit') return value
  }
  return undefined
}
