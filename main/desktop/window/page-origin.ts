/** The origin of everything that the window may load. `npm run dev` builds with scripts/dev/page-origin.ts instead. */
export const appOrigin = 'app://causeway'

/** The hosts that a page may reach. The page's own files come over `app://`, which takes no network. */
export const reachableHosts: readonly string[] = []
