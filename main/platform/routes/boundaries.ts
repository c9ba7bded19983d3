import { type AddressRange, type Family, addressText, rangesOf } from './address-range'

/**
 * The addresses that decide whether all traffic goes through a tunnel: all unicast addresses of IPv4 but those of this computer
 * and of a single link; for IPv6 2000::/3, which holds all public ones.
 */
export const deciding: readonly AddressRange[] = [
  { family: 4, first: 0x01_00_00_00n, last: 0x7e_ff_ff_ffn },
  { family: 4, first: 0x80_00_00_00n, last: 0xa9_fd_ff_ffn },
  { family: 4, first: 0xa9_ff_00_00n, last: 0xdf_ff_ff_ffn },
  { family: 6, first: 0x2n << 124n, last: (0x4n << 124n) - 1n },
]

/** Multicast, and the addresses of a single link: routing does not decide about them. */
const special = rangesOf([
  '224.0.0.0/3',
  '127.0.0.0/8',
  '0.0.0.0/8',
  '169.254.0.0/16',
  'ff00::/8',
  'fe80::/10',
])

/** The most addresses to look up: they take a tenth of a second, and more routes are hardly meant. */
const maxBoundaries = 4096

/**
 * Returns the addresses to look up: the first of each range, between the ends of all prefixes, in which every address is routed
 * alike, whatever tables and rules there are. Undefined if they are too many.
 */
export function boundaries(prefixes: readonly AddressRange[]): readonly AddressRange[] | undefined {
  const starts: Record<Family, Set<bigint>> = { 4: new Set(), 6: new Set() }
  const end: Record<Family, bigint> = { 4: 1n << 32n, 6: 1n << 128n }
  for (const { family, first, last } of [...deciding, ...special, ...prefixes]) {
    starts[family].add(first)
    if (last + 1n < end[family]) starts[family].add(last + 1n)
  }
  const found = ([4, 6] as const).flatMap((family) => {
    const sorted = [0n, ...starts[family]].toSorted((one, other) => (one < other ? -1 : Number(one > other)))
    return [...new Set(sorted)].map((first, index, all) => ({
      family,
      first,
      last: (all[index + 1] ?? end[family]) - 1n,
    }))
  })
  const routed = found.filter(
    (range) =>
      !special.some(
        ({ family, first, last }) => family === range.family && first <= range.first && last >= range.first,
      ),
  )
  return routed.length > maxBoundaries ? undefined : routed
}

/** Returns the address of a range that is looked up. */
export function boundaryAddress({ family, first }: AddressRange): string {
  return addressText(family, first)
}
