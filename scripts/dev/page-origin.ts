/** Takes the place of main/desktop/window/page-origin.ts in a build of `npm run dev`: the page comes from Vite's server. */
const address = process.env.ELECTRON_RENDERER_URL
// The terminal command of such a build has no window, and works as any other.
if (address === undefined && 'electron' in process.versions)
  throw new Error('This build is one of npm run dev, which must start it. Build the app with: npm run build')
const { origin, host } = new URL(address ?? 'about:blank')

export const appOrigin = origin

export const reachableHosts: readonly string[] = [host]
