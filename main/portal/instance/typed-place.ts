import { isIP } from 'node:net'
import { asPasted } from '../../platform/http/pasted-address'
import { parseAddress } from './address'

/** A text that a person typed as the place where they study or work. */
export type TypedPlace =
  /** The address of a service, such as `https://vpn.example.org/` or `127.0.0.1:5006`. */
  | {
      readonly kind: 'address'
      /** The domain to ask if there is no service at the address, which may be the organization's web site. */
      readonly domain?: string
    }
  /** A domain, alone or of an e-mail address. The part before the `@` is dropped here, before anything is sent or logged. */
  | { readonly kind: 'domain'; readonly domain: string }
  /** The name of an organization. */
  | { readonly kind: 'name' }

const emailAddress = /^(?:mailto:)?[^\s:/\\]+@([^\s@/\\:?#%]+)$/iu
const bareHost = /^[\p{L}\p{M}\p{N}-]+(?:\.[\p{L}\p{M}\p{N}-]+)+\.?$/u
/** A scheme, a port, a path, or an IPv6 address. */
const addressSigns = /^[a-z][a-z0-9+.-]*:\/\/|^[^\s/]+:\d|^[^\s/@]+\.[^\s/@]+\/|^\[|^localhost$/i

/** Tells what a typed text is. Nothing is sent. */
export async function readPlace(text: string): Promise<TypedPlace> {
  const typed = asPasted(text.trim())
  const inMail = emailAddress.exec(/<([^<>]+)>$/.exec(text.trim())?.[1] ?? typed)?.[1]
  if (inMail === undefined && (addressSigns.test(typed) || isIP(typed) !== 0)) {
    const [, scheme, host = ''] = /^(?:(https?):\/\/)?([^/?#]+)/i.exec(typed) ?? []
    const domain = await domainOf(host)
    if (domain === undefined) return { kind: 'address' }
    // Nobody's service is at an http address, but many web sites are.
    return { kind: scheme?.toLowerCase() === 'http' ? 'domain' : 'address', domain }
  }
  const domain = await domainOf(inMail ?? typed)
  return domain === undefined ? { kind: 'name' } : { kind: 'domain', domain }
}

/** Returns a domain in ASCII and lower case; undefined for what an organization can't have. */
async function domainOf(host: string): Promise<string | undefined> {
  if (!bareHost.test(host) || !URL.canParse(`https://${host}`)) return undefined
  const domain = new URL(`https://${host}`).hostname.replace(/\.$/, '')
  return (await organizationOf(domain)) === undefined ? undefined : domain
}

/**
 * Returns the domain that one organization has registered, such as `example.edu` for `vpn.student.example.edu`: one label
 * more than the public suffix, also below suffixes of companies that give names to others. Undefined for an IP address, a
 * public suffix itself and a single label.
 */
export async function organizationOf(host: string): Promise<string | undefined> {
  const { getDomain } = await import('tldts')
  return getDomain(host, { allowPrivateDomains: true }) ?? undefined
}

/** More would be no organization's structure, but somebody's list of hosts to be asked. */
const maxParents = 4

/**
 * Returns the hosts where an organization's portal may be, the likeliest first: the domain itself, then `vpn.` and `eduvpn.`
 * before it and before its parent domains within the same organization.
 */
export async function portalHosts(domain: string): Promise<readonly string[]> {
  const organization = await organizationOf(domain)
  if (organization === undefined) return []
  const domains = [domain]
  while (domains.at(-1) !== organization && domains.length <= maxParents)
    domains.push((domains.at(-1) ?? '').replace(/^[^.]*\./, ''))
  const around = domains.filter((each) => !/^(?:edu)?vpn\./.test(each) || each === organization)
  const hosts = [domain, ...around.flatMap((each) => [`vpn.${each}`, `eduvpn.${each}`])]
  return [...new Set(hosts)].filter((host) => host.length <= 253)
}

/**
 * Returns the address in a `causeway://add/ADDRESS` link, which a web page or a mail may hold; undefined for any other link,
 * and for an address that no service has. The address is only for a person to look at.
 */
export function linkedAddress(link: string): string | undefined {
  const [, encoded] = /^causeway:\/\/add\/([^\s?#]{1,2048})$/i.exec(link) ?? []
  if (encoded === undefined) return undefined
  try {
    const address = decodeURIComponent(encoded)
    // Printable ASCII, so that what a person sees is what is asked. What is still encoded was encoded twice.
    if (!/^(?:(?![?#%])[!-~])+$/.test(address) || asPasted(address) !== address) return undefined
    parseAddress(address)
    return address
  } catch {
    return undefined
  }
}
