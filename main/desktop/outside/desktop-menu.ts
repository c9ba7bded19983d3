import type { TFunction } from 'i18next'
import { connectTarget, isUnderWay } from '../../../contract/connection-summary'
import type { AppState } from '../../../contract/state'
import { mainViews, shownViews, type View } from '../../../contract/views'

/** The action of a menu entry. */
export type MenuAction = 'connect' | 'disconnect' | 'copy-for-support' | { readonly go: View }

type Role =
  | 'undo'
  | 'redo'
  | 'cut'
  | 'copy'
  | 'paste'
  | 'selectAll'
  | 'resetZoom'
  | 'zoomIn'
  | 'zoomOut'
  | 'togglefullscreen'
  | 'minimize'
  | 'close'
  | 'quit'
  | 'about'
  | 'hide'
  | 'hideOthers'
  | 'unhide'
  | 'reload'
  | 'toggleDevTools'

export type MenuEntry =
  | { readonly kind: 'separator' }
  /** A standard action of Electron, with its usual shortcut. */
  | { readonly kind: 'role'; readonly role: Role; readonly label?: string }
  | {
      readonly kind: 'item'
      readonly label: string
      readonly action: MenuAction
      /** The shortcut that the menu shows. The window handles the key itself. */
      readonly key?: string
      readonly enabled?: boolean
    }

export interface MenuPart {
  readonly label: string
  readonly entries: readonly MenuEntry[]
}

const separator: MenuEntry = { kind: 'separator' }

type MenuState = Pick<AppState, 'connection' | 'instances' | 'shortcuts'>

function role(name: Role, label: string): MenuEntry {
  return { kind: 'role', role: name, label }
}

function go(view: View, label: string, key?: string): MenuEntry {
  return { kind: 'item', label, action: { go: view }, key }
}

/** Returns the menu of the window, or on macOS of the app. `fromSource` adds developer entries. */
export function desktopMenu(
  state: MenuState,
  t: TFunction,
  { isMac, fromSource }: { readonly isMac: boolean; readonly fromSource: boolean },
): readonly MenuPart[] {
  const about = role('about', t('desktop.menu.about'))
  const settings = go('settings', t('navigation.settings'), 'CmdOrCtrl+,')
  const quit = role('quit', t('desktop.tray.quit'))
  return [
    ...(isMac
      ? [
          {
            label: 'Causeway',
            entries: [
              about,
              separator,
              settings,
              separator,
              role('hide', t('desktop.menu.hide')),
              role('hideOthers', t('desktop.menu.hideOthers')),
              role('unhide', t('desktop.menu.showAll')),
              separator,
              quit,
            ],
          },
        ]
      : []),
    {
      label: t('desktop.menu.file'),
      entries: [connectOrDisconnect(state, t), ...(isMac ? [] : [separator, settings, separator, quit])],
    },
    {
      label: t('desktop.menu.edit'),
      entries: [
        role('undo', t('desktop.menu.undo')),
        role('redo', t('desktop.menu.redo')),
        separator,
        role('cut', t('desktop.menu.cut')),
        role('copy', t('desktop.menu.copy')),
        role('paste', t('desktop.menu.paste')),
        role('selectAll', t('desktop.menu.selectAll')),
      ],
    },
    viewPart(state, t, fromSource),
    {
      label: t('desktop.menu.window'),
      entries: [role('minimize', t('desktop.menu.minimise')), role('close', t('desktop.menu.close'))],
    },
    {
      label: t('desktop.menu.help'),
      entries: [
        go('doctor', t('navigation.doctor')),
        { kind: 'item', label: t('connection.copyForHelpDesk'), action: 'copy-for-support' },
        ...(isMac ? [] : [separator, about]),
      ],
    },
  ]
}

function viewPart({ instances }: MenuState, t: TFunction, fromSource: boolean): MenuPart {
  return {
    label: t('desktop.menu.view'),
    entries: [
      ...shownViews(instances).map((view) =>
        go(view, t(`navigation.${view}`), `CmdOrCtrl+${mainViews.indexOf(view) + 1}`),
      ),
      separator,
      role('resetZoom', t('desktop.menu.actualSize')),
      role('zoomIn', t('desktop.menu.zoomIn')),
      role('zoomOut', t('desktop.menu.zoomOut')),
      separator,
      role('togglefullscreen', t('desktop.menu.fullScreen')),
      ...(fromSource
        ? [
            separator,
            { kind: 'role', role: 'reload' } as const,
            { kind: 'role', role: 'toggleDevTools' } as const,
          ]
        : []),
    ],
  }
}

function connectOrDisconnect(state: MenuState, t: TFunction): MenuEntry {
  const key = 'CmdOrCtrl+Enter'
  if (!isUnderWay(state.connection))
    return {
      kind: 'item',
      label: t('connection.connect'),
      action: 'connect',
      key,
      enabled: connectTarget(state) !== undefined,
    }
  return {
    kind: 'item',
    label: t('connection.disconnect'),
    action: 'disconnect',
    key,
    enabled: state.connection.state !== 'disconnecting' || state.connection.switching === true,
  }
}
