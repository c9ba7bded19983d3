import type { Portal3Features } from './portal-version'

const vendors = ['org.eduvpn', 'org.letsconnect-vpn']
const loopbackRedirect = /^http:\/\/(?:127\.0\.0\.1|\[::1\]):(\d+)\/callback$/

/** A client that an administrator added to the portal. */
export interface AddedClient {
  id: string
  /** A redirect URI; `{PORT}` in it stands for any port from 1024 to 65535. */
  redirectUri: string
}

/** Returns the name of a client, such as `org.eduvpn`, and its platform; undefined for other identifiers. */
export function partsOf(clientId: string): { name: string; platform: string } | undefined {
  const [, name, platform] = /^(.+)\.app\.(windows|linux|macos|ios|android)$/.exec(clientId) ?? []
  return name === undefined || platform === undefined ? undefined : { name, platform }
}

/** Returns true for built-in clients (api-v3-facts.md, section 3), and for Causeway, which stands for added ones. */
export function isRegisteredClient(clientId: string, features?: Portal3Features): boolean {
  const { name = '', platform = '' } = partsOf(clientId) ?? {}
  if (name === 'org.causeway') return !/^(ios|android)$/.test(platform)
  return vendors.includes(name) || (features?.knowsGovVpn === true && name === 'org.govvpn')
}

function isLoopbackRedirect(redirectUri: string): boolean {
  return isPort(loopbackRedirect.exec(redirectUri)?.[1] ?? '')
}

/** Returns true for a port from 1024 to 65535. */
function isPort(digits: string): boolean {
  return /^[1-9]\d{3,4}$/.test(digits) && Number(digits) >= 1024 && Number(digits) <= 65535
}

/** Redirect URIs of mobile clients to a page of their vendor, which the operating system opens in the app; in version 2. */
const vendorPages: Record<string, readonly string[]> = {
  'org.eduvpn.app.android': ['https://android.app.eduvpn.org/api/callback'],
  'org.eduvpn.app.ios': ['https://ios.app.eduvpn.org/auth/app/redirect/'],
  'org.letsconnect-vpn.app.android': ['https://android.app.letsconnect-vpn.org/api/callback'],
}

/** Returns true for the redirect URIs that portals register for this client. `features` are those of version 3. */
export function isRegisteredRedirect(
  clientId: string,
  redirectUri: string,
  features?: Portal3Features,
): boolean {
  const { name = '', platform } = partsOf(clientId) ?? {}
  const ofVendor = `${name}.app:/api/callback`
  const ofPlatform = `${clientId}:/api/callback`
  if (features === undefined && vendorPages[clientId]?.includes(redirectUri) === true) return true
  if (platform === undefined) return false
  if (platform === 'ios') return redirectUri === ofPlatform
  if (platform === 'android') {
    const mayNamePlatform = features?.hasAndroidPlatformScheme === true
    return redirectUri === ofVendor || (mayNamePlatform && redirectUri === ofPlatform)
  }
  if (platform === 'macos' && name !== 'org.causeway') {
    const scheme = features === undefined ? ofVendor : features.hasMacosScheme ? ofPlatform : undefined
    if (redirectUri === scheme) return true
  }
  return isLoopbackRedirect(redirectUri)
}

/** Schemes that a browser would run or read instead of opening a client. */
const refusedSchemes = /^(javascript|data|vbscript|file|blob|about|view-source):$/
const maxCharacters = 2000

/** Returns true for a URI to which a browser can be redirected safely: absolute, without a fragment. */
export function isUsableRedirect(redirectUri: string): boolean {
  if (!/^[a-z][a-z0-9+.-]*:[!-~]+$/i.test(redirectUri) || redirectUri.length > maxCharacters) return false
  const url = URL.parse(redirectUri)
  return url !== null && !redirectUri.includes('#') && !refusedSchemes.test(url.protocol)
}

/** Parses `ID=REDIRECT`. Throws an Error with the reason if it is not valid. */
export function parseClient(text: string): AddedClient {
  const at = text.indexOf('=')
  const id = text.slice(0, Math.max(0, at))
  const redirectUri = text.slice(at + 1)
  if (!/^[!-~]{1,200}$/.test(id)) throw new Error('It must be ID=REDIRECT, with an ID without spaces.')
  if (!isUsableRedirect(redirectUri.replace('{PORT}', '1024'))) {
    throw new Error(
      'The redirect URI must be absolute, without a fragment, and nothing that a browser would run.',
    )
  }
  return { id, redirectUri }
}

export function isRedirectOf(client: AddedClient, redirectUri: string): boolean {
  const [start, end] = client.redirectUri.split('{PORT}', 2)
  if (start === undefined || end === undefined) return redirectUri === client.redirectUri
  if (!redirectUri.startsWith(start) || !redirectUri.endsWith(end)) return false
  const given = redirectUri.slice(start.length, redirectUri.length - end.length)
  return isPort(given)
}
