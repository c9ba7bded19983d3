import { isLoopbackRedirect, isMobileCauseway, partsOf } from '../clients'
import type { Portal3Features } from './portal-version'

const builtIn = ['org.eduvpn', 'org.letsconnect-vpn']

/**
 * Returns true for the built-in clients of a portal of version 3 (api-v3-facts.md, section 3), and for
 * Causeway on its three platforms, which stands for a client that an administrator added.
 */
export function isRegisteredClient3(clientId: string, { knowsGovVpn }: Portal3Features): boolean {
  const parts = partsOf(clientId)
  if (parts === undefined) return false
  if (parts.name === 'org.causeway') return !isMobileCauseway(parts)
  return builtIn.includes(parts.name) || (knowsGovVpn && parts.name === 'org.govvpn')
}

/** Returns true for the redirect URIs that are registered for this client. */
export function isRegisteredRedirect3(
  clientId: string,
  redirectUri: string,
  features: Portal3Features,
): boolean {
  const parts = partsOf(clientId)
  if (parts === undefined) return false
  const { name, platform } = parts
  if (platform === 'ios') return redirectUri === `${clientId}:/api/callback`
  if (platform === 'android') {
    return (
      redirectUri === `${name}.app:/api/callback` ||
      (features.hasAndroidPlatformScheme && redirectUri === `${clientId}:/api/callback`)
    )
  }
  const hasOwnScheme = platform === 'macos' && name !== 'org.causeway' && features.hasMacosScheme
  return isLoopbackRedirect(redirectUri) || (hasOwnScheme && redirectUri === `${clientId}:/api/callback`)
}
