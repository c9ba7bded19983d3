import { app, Menu, nativeImage, Tray, type MenuItemConstructorOptions, type NativeImage } from 'electron'
import { join } from 'node:path'
import type { AppModel } from '../../commands/models/app-model'
import {
  trayChangesAt,
  traySlices,
  trayView,
  type TrayAction,
  type TrayEntry,
  type TrayIcon,
} from './tray-view'

/** The longest delay of a timed change after sleep, during which timers are suspended. */
const maxWaitMs = 60 * 60_000

/** The icon in the desktop's tray, whose shape shows the state, with a menu to connect, disconnect and quit. */
export class AppTray {
  readonly #model: AppModel
  readonly #act: (action: TrayAction) => void
  readonly #icons = new Map<TrayIcon, NativeImage>()
  readonly #stop: () => void
  #tray: Tray | undefined
  /** The drawn content. Redrawing the same content would close an open menu. */
  #drawnIcon: TrayIcon | undefined
  #title = ''
  #entries = ''
  #timer: NodeJS.Timeout | undefined

  constructor(model: AppModel, act: (action: TrayAction) => void) {
    this.#model = model
    this.#act = act
    this.#stop = model.onChange((changed) => {
      if (['wording' as const, ...traySlices].some((name) => name in changed)) this.#draw()
    })
  }

  get isThere(): boolean {
    return this.#tray !== undefined
  }

  /** Shows the icon, unless it's there. */
  show(): void {
    if (this.#tray !== undefined) return
    this.#tray = new Tray(this.#icon('off'))
    this.#drawnIcon = undefined
    this.#title = this.#entries = ''
    // On macOS a click opens the menu. Elsewhere the other button does, or the panel sends no clicks.
    if (process.platform !== 'darwin') {
      this.#tray.on('click', () => {
        this.#act('show')
      })
    }
    this.#draw()
  }

  /** Removes the icon. */
  hide(): void {
    clearTimeout(this.#timer)
    this.#tray?.destroy()
    this.#tray = undefined
  }

  dispose(): void {
    this.#stop()
    this.hide()
  }

  #draw(): void {
    const tray = this.#tray
    if (tray === undefined || tray.isDestroyed()) return
    const state = this.#model.state()
    const now = Date.now()
    const { icon, title, entries } = trayView(state, this.#model.language.t, now)
    if (icon !== this.#drawnIcon) tray.setImage(this.#icon(icon))
    if (title !== this.#title) tray.setToolTip(title)
    const drawn = JSON.stringify(entries)
    if (drawn !== this.#entries) {
      tray.setContextMenu(Menu.buildFromTemplate(entries.map((entry) => this.#menuItem(entry))))
    }
    this.#drawnIcon = icon
    this.#title = title
    this.#entries = drawn
    clearTimeout(this.#timer)
    const next = trayChangesAt(state, now)
    if (next === undefined) return
    this.#timer = setTimeout(
      () => {
        this.#draw()
      },
      Math.min(maxWaitMs, next - now),
    )
  }

  #menuItem(entry: TrayEntry): MenuItemConstructorOptions {
    switch (entry.kind) {
      case 'separator':
        return { type: 'separator' }
      case 'line':
        return entry.inUse === true
          ? { type: 'checkbox', checked: true, label: plain(entry.label), enabled: false }
          : { label: plain(entry.label), enabled: false }
      case 'item':
        return {
          label: plain(entry.label),
          click: () => {
            this.#act(entry.action)
          },
        }
    }
  }

  #icon(name: TrayIcon): NativeImage {
    const icon = this.#icons.get(name) ?? nativeImage.createFromPath(iconFile(name))
    this.#icons.set(name, icon)
    return icon
  }
}

/** Returns the icon's file. Electron finds the files for other densities, and macOS templates, by their names. */
function iconFile(name: TrayIcon): string {
  const suffix = { darwin: 'Template', linux: '-24' }[process.platform as string] ?? ''
  return join(app.getAppPath(), 'build/icons', `tray-${name}${suffix}.png`)
}

/** Escapes `&`, which marks the access key in a menu. */
function plain(label: string): string {
  return label.replaceAll('&', '&&')
}
