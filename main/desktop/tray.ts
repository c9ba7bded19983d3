import { app, Menu, nativeImage, Tray, type MenuItemConstructorOptions, type NativeImage } from 'electron'
import { join } from 'node:path'
import type { Tone } from '../../contract/connection'
import type { AppModel } from './app-model'
import { trayChangesAt, traySlices, trayView, type TrayAction, type TrayEntry } from './tray-view'

/** Timers stand still while a computer sleeps: after it, one is late by this at most. */
const longestWaitMs = 60 * 60_000

/** The mark in the desktop's tray, whose shape says the state, with the way to connect, to disconnect and to quit. */
export class AppTray {
  readonly #model: AppModel
  readonly #act: (action: TrayAction) => void
  readonly #icons = new Map<Tone, NativeImage>()
  readonly #stop: () => void
  #tray: Tray | undefined
  /** What it shows, to draw nothing anew that is as it was: the desktop would close an open menu. */
  #tone: Tone | undefined
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

  /** Puts it into the tray; nothing where it is there already. */
  show(): void {
    if (this.#tray !== undefined) return
    this.#tray = new Tray(this.#icon('off'))
    this.#tone = undefined
    this.#title = this.#entries = ''
    // On macOS it opens the menu; elsewhere the menu is under the other button, or the panel knows no click.
    if (process.platform !== 'darwin') {
      this.#tray.on('click', () => {
        this.#act({ does: 'show' })
      })
    }
    this.#draw()
  }

  /** Takes it out of the tray. */
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
    const { tone, title, entries } = trayView(state, this.#model.language.t, now)
    if (tone !== this.#tone) tray.setImage(this.#icon(tone))
    if (title !== this.#title) tray.setToolTip(title)
    const drawn = JSON.stringify(entries)
    if (drawn !== this.#entries) {
      tray.setContextMenu(Menu.buildFromTemplate(entries.map((entry) => this.#menuItem(entry))))
    }
    this.#tone = tone
    this.#title = title
    this.#entries = drawn
    clearTimeout(this.#timer)
    const next = trayChangesAt(state, now)
    if (next === undefined) return
    this.#timer = setTimeout(
      () => {
        this.#draw()
      },
      Math.min(longestWaitMs, next - now),
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

  #icon(tone: Tone): NativeImage {
    const icon = this.#icons.get(tone) ?? nativeImage.createFromPath(iconFile(tone))
    this.#icons.set(tone, icon)
    return icon
  }
}

/** Those of a higher density, and that macOS gives its colour, are found by the name. */
function iconFile(tone: Tone): string {
  const suffix = { darwin: 'Template', linux: '-24' }[process.platform as string] ?? ''
  return join(app.getAppPath(), 'build/icons', `tray-${tone}${suffix}.png`)
}

/** A menu takes a single & for the mark of a key. */
function plain(label: string): string {
  return label.replaceAll('&', '&&')
}
