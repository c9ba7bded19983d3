import type { AppState } from '../../contract/state'

/** Returns true if the person has chosen apps, or has chosen for some profile which apps use the VPN. */
export function dividesApps({ settings, shortcuts }: Pick<AppState, 'settings' | 'shortcuts'>): boolean {
  return (
    settings.appsMode !== 'all' ||
    settings.apps !== '' ||
    (shortcuts.choices ?? []).some(({ appsMode }) => appsMode !== undefined)
  )
}
