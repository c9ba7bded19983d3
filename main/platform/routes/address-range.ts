import { isIPv4, isIPv6 } from 'node:net'

export type Family = 4 | 6

/** A range of addresses, as numbers; both ends belong to it. */
export interface AddressRange {
  readonly family: Family
  readonly first: bigint
  readonly last: bigint
}

const bitsOf = (family: Family): number => (family === 4 ? 32 : 128)

/** Returns the number of an address, such as `192.0.2.1` or `2001:db8::1`; undefined for anything else. */
export function addressNumber(text: string): { readonly family: Family; readonly value: bigint } | undefined {
  if (isIPv4(text))
    return { family: 4, value: BigInt(text.split('.').reduce((sum, byte) => sum * 256 + Number(byte), 0)) }
  // Without a zone, which no number has.
  if (!isIPv6(text) || text.includes('%')) return undefined
  const hex = text.replace(/(\d+\.){3}\d+$/, (ipv4) => ipv4Hex(ipv4).replace(/^.{4}/, '$&:'))
  const [head = '', tail] = hex.split('::')
  const groups = (part: string) => part.split(':').filter(Boolean)
  const missing = 8 - groups(head).length - groups(tail ?? '').length
  const all = [...groups(head), ...Array.from({ length: missing }, () => '0'), ...groups(tail ?? '')]
  return { family: 6, value: BigInt(`0x${all.map((group) => group.padStart(4, '0')).join('')}`) }
}

function ipv4Hex(text: string): string {
  return text
    .split('.')
    .map((byte) => Number(byte).toString(16).padStart(2, '0'))
    .join('')
}

/** Returns the text of an address, without `::` for IPv6. */
export function addressText(family: Family, value: bigint): string {
  if (family === 4) return [24, 16, 8, 0].map((shift) => (Number(value) >>> shift) & 255).join('.')
  const groups = value.toString(16).padStart(32, '0').match(/.{4}/g) ?? []
  return groups.map((group) => group.replace(/^0{1,3}/, '')).join(':')
}

/** Returns the range of a prefix, such as `10.0.0.0/8`, or of a single address; undefined for anything else. */
export function prefixRange(prefix: string): AddressRange | undefined {
  const [text = '', length, more] = prefix.split('/')
  const address = addressNumber(text)
  if (address === undefined || more !== undefined || !/^\d{0,3}$/.test(length ?? '')) return undefined
  const bits = bitsOf(address.family)
  return length === '' || Number(length ?? 0) > bits
    ? undefined
    : rangeOf(address.family, address.value, Number(length ?? bits))
}

/** Returns the ranges of the prefixes that are some. */
export function rangesOf(prefixes: Iterable<string>): AddressRange[] {
  return [...prefixes].flatMap((prefix) => prefixRange(prefix) ?? [])
}

/** Returns the range of a prefix with an address and a length. Throws a RangeError for a length that isn't a whole number. */
export function rangeOf(family: Family, value: bigint, length: number): AddressRange {
  const size = 1n << BigInt(bitsOf(family) - length)
  const first = value - (value % size)
  return { family, first, last: first + size - 1n }
}

/** Returns true if the first range contains the second one. */
export function contains(outer: AddressRange, inner: AddressRange): boolean {
  return outer.family === inner.family && outer.first <= inner.first && outer.last >= inner.last
}

/** Returns the length of the prefix that a range of one prefix has. */
export function prefixLength({ family, first, last }: AddressRange): number {
  return bitsOf(family) - ((last - first + 1n).toString(2).length - 1)
}

/** Returns the fewest prefixes that cover exactly these ranges, in order, as text. */
export function prefixesOf(ranges: readonly AddressRange[]): string[] {
  return unite(ranges).flatMap(({ family, first, last }) => {
    const found: string[] = []
    let from = first
    while (from <= last) {
      let length = bitsOf(family)
      let size = 1n
      while (length > 0 && from % (size * 2n) === 0n && from + size * 2n - 1n <= last) {
        size *= 2n
        length -= 1
      }
      found.push(`${shortText(family, from)}/${String(length)}`)
      from += size
    }
    return found
  })
}

/** Returns the same addresses as sorted ranges that neither touch nor overlap. */
function unite(ranges: readonly AddressRange[]): AddressRange[] {
  const sorted = ranges.toSorted(
    (one, other) =>
      one.family - other.family || (one.first < other.first ? -1 : Number(one.first > other.first)),
  )
  const united: AddressRange[] = []
  for (const range of sorted) {
    const before = united.at(-1)
    if (before?.family === range.family && before.last + 1n >= range.first)
      united[united.length - 1] = { ...before, last: before.last > range.last ? before.last : range.last }
    else united.push(range)
  }
  return united
}

/** Returns an address as people write it, with `::` in IPv6 (RFC 5952). */
function shortText(family: Family, value: bigint): string {
  const text = addressText(family, value)
  return family === 4 ? text : new URL(`http://[${text}]`).hostname.slice(1, -1)
}

/** Returns true if each of the inner addresses is in one of the outer ranges. */
export function covers(outer: readonly AddressRange[], inner: readonly AddressRange[]): boolean {
  const united = unite(outer)
  return unite(inner).every((range) => united.some((each) => contains(each, range)))
}
