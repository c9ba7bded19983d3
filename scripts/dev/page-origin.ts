/** Takes the place of main/desktop/window/page-origin.ts in a build of `npm run dev`: the page comes from Vite's server. */
const address = process.env.ELECTRON_RENDERER_URL
if (address === undefined)
  throw new Error('This build is one of npm run dev, which must start it. Build the app with: npm run build')

export const appOrigin: string = new URL(address).origin

export const reachableHosts: readonly string[] = [new URL(address).host]
