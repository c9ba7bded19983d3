import { app, Menu, type MenuItemConstructorOptions } from 'electron'

/**
 * A menu with what the keyboard needs: without the Edit roles, copy and paste have no shortcuts on macOS. Reload and
 * the developer tools are there only when the app runs from source.
 */
export function setMenu(): void {
  const view: MenuItemConstructorOptions[] = [
    { role: 'resetZoom' },
    { role: 'zoomIn' },
    { role: 'zoomOut' },
    ...(app.isPackaged ? [] : ([{ role: 'reload' }, { role: 'toggleDevTools' }] as const)),
  ]
  Menu.setApplicationMenu(
    Menu.buildFromTemplate([
      process.platform === 'darwin' ? { role: 'appMenu' } : { label: 'File', submenu: [{ role: 'quit' }] },
      { role: 'editMenu' },
      { label: 'View', submenu: view },
      { role: 'windowMenu' },
    ]),
  )
}
