import type { CausewayError } from '../errors'
import { hasCode } from '../errors'
import type { HttpClient } from '../platform/http/http-client'
import { askForPortals, type AskedHost } from '../portal/discovery/discovery'
import type { Lookup } from '../portal/discovery/inner-hosts'
import { organizationOf, portalHosts, readPlace, type TypedPlace } from '../portal/instance/typed-place'

/** What a typed text is, and the hosts that would be asked for a domain in it. */
type PortalPlace = TypedPlace & { readonly hosts: readonly string[] }

export interface PortalSearch {
  /** Reads a typed text without sending anything. */
  place(text: string): Promise<PortalPlace>
  /**
   * Asks these hosts of `place`. Returns the addresses of those with a portal, the likeliest first; without any, also why, if
   * a host may have one. Throws `http/cancelled`.
   */
  look(
    hosts: readonly string[],
    signal?: AbortSignal,
  ): Promise<{ readonly portals: readonly string[]; readonly problem: CausewayError | undefined }>
}

/** Looks for an organization's portal at its domain. `http` asks nothing but what it is told to, not even after a failure. */
export function createPortalSearch({
  http,
  lookup,
}: {
  readonly http: HttpClient
  /** Default: the system's. */
  readonly lookup?: Lookup
}): PortalSearch {
  return {
    place: async (text) => {
      const place = await readPlace(text)
      const hosts = 'domain' in place && place.domain !== undefined ? await portalHosts(place.domain) : []
      return { ...place, hosts }
    },
    look: async (hosts, signal) => {
      const organization = await organizationOf(hosts[0] ?? '')
      if (organization === undefined) return { portals: [], problem: undefined }
      const answers = await askForPortals(http, hosts, { organization, signal, lookup })
      const addresses = answers.flatMap(({ host, problem }) =>
        problem === undefined ? [`https://${host}/`] : [],
      )
      const portals = [...new Set(addresses)]
      return { portals, problem: portals.length === 0 ? problemOf(answers) : undefined }
    },
  }
}

/** Returns the failure of a host that may have a portal, such as one whose certificate has expired; else that of the network. */
function problemOf(asked: readonly AskedHost[]): CausewayError | undefined {
  const isSilent = ({ problem }: AskedHost): boolean => hasCode(problem, 'http/unreachable', 'http/timed-out')
  const named = asked.find(
    ({ host, problem }) =>
      /^(?:edu)?vpn\./.test(host) &&
      hasCode(problem, 'http/tls-failed', 'http/tls-too-old', 'discovery/invalid-document'),
  )
  return (
    named?.problem ??
    asked.find(({ problem }) => hasCode(problem, 'http/proxy-authentication'))?.problem ??
    (asked.every(isSilent) ? asked[0]?.problem : undefined)
  )
}
