import { contains, prefixRange, prefixesOf } from '../../platform/routes/address-range'

const families = ['0.0.0.0/0', '::/0'].flatMap((prefix) => prefixRange(prefix) ?? [])

/** Returns whether the networks are more than three quarters of all addresses of a family. */
export function carriesMost(networks: readonly string[]): boolean {
  const ranges = networks.flatMap((network) => prefixRange(network) ?? [])
  return families.some((family) => {
    const united = prefixesOf(ranges.filter((range) => contains(family, range)))
    const size = united
      .flatMap((prefix) => prefixRange(prefix) ?? [])
      .reduce((sum, { first, last }) => sum + (last - first + 1n), 0n)
    return size * 4n > (family.last + 1n) * 3n
  })
}
