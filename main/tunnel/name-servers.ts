import { type AddressRange, contains, rangesOf } from '../platform/routes/address-range'

const outside = rangesOf([
  '0.0.0.0/8',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '224.0.0.0/4',
  '255.255.255.255',
  '::/127',
  '::ffff:0.0.0.0/96',
  'fe80::/10',
  'ff00::/8',
])

/**
 * Returns true for an address that a DNS server in a tunnel may have. A resolver of this computer, or of its link, asks the network in
 * the clear, and so do programs that have no server.
 */
export function mayBeNameServer(address: AddressRange): boolean {
  return !outside.some((range) => contains(range, address))
}
