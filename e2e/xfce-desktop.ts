import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa, type ResultPromise } from 'execa'
import { expect } from './fixtures'
import { needPrograms } from './needed-programs'

/** A panel with nothing but a tray. */
const panelSettings = `<?xml version="1.0" encoding="UTF-8"?>
<channel name="xfce4-panel" version="1.0">
  <property name="configver" type="int" value="2"/>
  <property name="panels" type="array">
    <value type="int" value="1"/>
    <property name="panel-1" type="empty">
      <property name="position" type="string" value="p=6;x=0;y=0"/>
      <property name="length" type="uint" value="100"/>
      <property name="position-locked" type="bool" value="true"/>
      <property name="size" type="uint" value="32"/>
      <property name="plugin-ids" type="array"><value type="int" value="1"/></property>
    </property>
  </property>
  <property name="plugins" type="empty">
    <property name="plugin-1" type="string" value="systray"/>
  </property>
</channel>
`

const watcher = 'org.kde.StatusNotifierWatcher'

/** The panel of Xfce with its tray, and the notifications of dunst, on a display and a bus of their own. */
export class XfceDesktop {
  readonly #programs: readonly ResultPromise[]

  private constructor(programs: readonly ResultPromise[]) {
    this.#programs = programs
  }

  static async start(): Promise<XfceDesktop> {
    needPrograms({
      'xfce4-panel': 'xfce4-panel',
      xfwm4: 'xfwm4',
      dunst: 'dunst',
      dunstctl: 'dunst',
      xdotool: 'xdotool',
      gdbus: 'libglib2.0-bin',
      dex: 'dex',
    })
    const folder = join(process.env.XDG_CONFIG_HOME ?? '', 'xfce4/xfconf/xfce-perchannel-xml')
    if (process.env.XDG_CONFIG_HOME === undefined)
      throw new Error('"npm run test:e2e" makes a session for this.')
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'xfce4-panel.xml'), panelSettings)
    const commands = [['xfwm4', '--compositor=off'], ['xfce4-panel'], ['dunst']] as const
    const desktop = new XfceDesktop(
      commands.map(([program, ...words]) => execa(program, words, { stdio: 'ignore', reject: false })),
    )
    try {
      await expect.poll(hasHost, { timeout: 60_000 }).toBe(true)
      await expect.poll(() => desktop.shownNotifications()).toBe(0)
    } catch (error) {
      await desktop.end()
      throw error
    }
    return desktop
  }

  /** Clicks the only icon of the tray, which shows the window. */
  async clickTray(): Promise<void> {
    await click(1)
  }

  /** Opens the menu of the only icon of the tray, and chooses from its entries that can be chosen: 1 is the first, -1 the last. */
  async chooseFromTray(entry: number): Promise<void> {
    await expect.poll(panelWindows).toBeGreaterThan(0)
    const closed = await panelWindows()
    await click(3)
    await expect.poll(panelWindows).toBe(closed + 1)
    const keys = Array<string>(Math.abs(entry)).fill(entry < 0 ? 'Up' : 'Down')
    await execa('xdotool', ['key', ...keys, 'Return'])
    await expect.poll(panelWindows).toBe(closed)
  }

  /** Returns how many notifications are on the screen; undefined before dunst answers. */
  async shownNotifications(): Promise<number | undefined> {
    const { stdout, failed } = await execa('dunstctl', ['count', 'displayed'], { reject: false })
    return failed ? undefined : Number(stdout)
  }

  /** Does what a click on the newest notification does. */
  async chooseNotification(): Promise<void> {
    await execa('dunstctl', ['action', '0'])
  }

  async closeNotifications(): Promise<void> {
    await execa('dunstctl', ['close-all'])
    await expect.poll(() => this.shownNotifications()).toBe(0)
  }

  /** Starts what the person's session starts by itself, as a session does when they sign in; not what the computer's does. */
  async signIn(): Promise<void> {
    // Chromium refuses to start its sandbox as root.
    const env = { XDG_CONFIG_DIRS: '/nonexistent', ELECTRON_DISABLE_SANDBOX: '1' }
    await execa('dex', ['--autostart', '--environment', 'XFCE'], { stdio: 'ignore', env })
  }

  /** Returns how many icons the tray has. */
  async icons(): Promise<number> {
    return (await ofWatcher('RegisteredStatusNotifierItems')).split('/StatusNotifierItem').length - 1
  }

  /** Returns how many windows with this name are on the screen. */
  async windows(name: string): Promise<number> {
    return shown('--name', name)
  }

  async end(): Promise<void> {
    for (const program of [...this.#programs].reverse()) {
      program.kill()
      await program
    }
  }
}

async function hasHost(): Promise<boolean> {
  return (await ofWatcher('IsStatusNotifierHostRegistered')).includes('true')
}

async function ofWatcher(property: string): Promise<string> {
  const words = `call --session --dest ${watcher} --object-path /StatusNotifierWatcher --method org.freedesktop.DBus.Properties.Get ${watcher} ${property}`
  const { stdout } = await execa('gdbus', words.split(' '), { reject: false })
  return stdout
}

async function click(button: 1 | 3): Promise<void> {
  await execa('xdotool', ['mousemove', '12', '16', 'click', String(button)])
}

/** Returns how many windows the tray shows, with that of its menu. */
function panelWindows(): Promise<number> {
  return shown('--class', 'wrapper-2.0')
}

async function shown(...words: readonly [string, string]): Promise<number> {
  const { stdout } = await execa('xdotool', ['search', '--onlyvisible', ...words], { reject: false })
  return stdout.split('\n').filter(Boolean).length
}
