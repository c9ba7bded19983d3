import { app, Menu, type MenuItemConstructorOptions } from 'electron'
import { join } from 'node:path'
import type { AppModel } from '../../commands/models/app-model'
import { desktopMenu, type MenuAction, type MenuEntry } from './desktop-menu'

/** Keeps the native menu up to date with state and language; returns a function that stops it. */
export function keepMenu(model: AppModel, act: (action: MenuAction) => void): () => void {
  let shown = ''
  const draw = (): void => {
    const parts = desktopMenu(model.state(), model.language.t, {
      isMac: process.platform === 'darwin',
      fromSource: !app.isPackaged,
    })
    const drawn = JSON.stringify(parts)
    if (drawn === shown) return
    shown = drawn
    Menu.setApplicationMenu(
      Menu.buildFromTemplate(
        parts.map(({ label, entries }) => ({
          label,
          submenu: entries.map((entry) => menuItem(entry, act)),
        })),
      ),
    )
  }
  app.setAboutPanelOptions({
    applicationName: 'Causeway',
    applicationVersion: app.getVersion(),
    iconPath: join(app.getAppPath(), 'build/icons/app/128x128.png'),
  })
  draw()
  return model.onChange(({ wording, connection, instances, shortcuts }) => {
    if ([wording, connection, instances, shortcuts].some((slice) => slice !== undefined)) draw()
  })
}

function menuItem(entry: MenuEntry, act: (action: MenuAction) => void): MenuItemConstructorOptions {
  switch (entry.kind) {
    case 'separator':
      return { type: 'separator' }
    case 'role':
      return { role: entry.role, label: entry.label }
    case 'item':
      return {
        label: entry.label,
        enabled: entry.enabled ?? true,
        // The window handles the keys itself, so a registered accelerator would run the action twice.
        ...(entry.key === undefined ? {} : { accelerator: entry.key, registerAccelerator: false }),
        click: () => {
          act(entry.action)
        },
      }
  }
}
