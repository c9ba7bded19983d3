import type { WebContents } from 'electron'

/** Reloads a crashed page, which loses nothing because the state is in main, until it has crashed three times without loading. */
export function loadAgainAfterCrash(contents: Pick<WebContents, 'on' | 'reload'>): void {
  let crashes = 0
  contents.on('did-finish-load', () => {
    crashes = 0
  })
  contents.on('render-process-gone', () => {
    crashes += 1
    if (crashes < 3) contents.reload()
  })
}
